import { parser } from '@prometheus-io/lezer-promql';
import {
  anyText,
  anything,
  list,
  literal,
  mapOf,
  number,
  positive,
  type Schema,
  strict,
  text,
  whole,
  yesNo,
} from './json-schema';

/** Places at which PromQL's own grammar fails; Grafana's variables stand for a duration and a label's value. */
export function promqlFaults(expression: string): string[] {
  const query = expression.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) faults.push(`${query.slice(Math.max(0, from - 20), to + 10)} at ${from}`);
    },
  });
  return faults;
}

/** Units that Grafana formats, @grafana/data valueFormats/categories.ts; `suffix:` writes the rest behind the number. */
const unit: Schema = { anyOf: [literal('s', 'percentunit', 'short', 'cps'), { type: 'string', pattern: '^suffix:' }] };
const source = strict({ 'type!': literal('prometheus'), 'uid!': literal('$datasource') });

/**
 * Panels and variables as Grafana 11 and 12 read them: kinds/dashboard/dashboard_kind.cue and the timeseries panel's
 * options, in our own words, closed. Files of ours were also read by the classes of grafana-foundation-sdk
 * (dashboard.Dashboard, grafana 10.1 to 12).
 */
const panel = strict({
  'id!': positive,
  'type!': literal('timeseries'),
  'title!': text,
  'description!': text,
  'datasource!': source,
  'gridPos!': strict({ 'h!': positive, 'w!': { type: 'integer', minimum: 1, maximum: 24 }, 'x!': whole, 'y!': whole }),
  'fieldConfig!': strict({
    'defaults!': strict({
      'unit!': unit,
      min: number,
      max: number,
      custom: strict({
        drawStyle: literal('line'),
        lineWidth: whole,
        thresholdsStyle: strict({ 'mode!': literal('off', 'line') }),
      }),
      'thresholds!': strict({
        'mode!': literal('absolute'),
        'steps!': list(strict({ 'color!': text, 'value!': { type: ['number', 'null'] } }), 1),
      }),
    }),
    'overrides!': list(anything),
  }),
  options: strict({
    legend: strict({
      displayMode: literal('list', 'table'),
      placement: literal('bottom'),
      showLegend: yesNo,
      calcs: list(text),
    }),
    tooltip: strict({ mode: literal('multi', 'single'), sort: literal('none', 'desc') }),
  }),
  'targets!': list(
    strict({ 'refId!': text, 'datasource!': source, 'expr!': text, 'legendFormat!': text, range: yesNo }),
    1,
  ),
});
const variable = {
  anyOf: [
    strict({
      'name!': literal('datasource'),
      label: text,
      'type!': literal('datasource'),
      'query!': literal('prometheus'),
      current: strict({}),
      refresh: whole,
    }),
    strict({
      'name!': text,
      label: text,
      'type!': literal('query'),
      'datasource!': source,
      'query!': strict({ 'query!': text, 'refId!': text }),
      includeAll: yesNo,
      allValue: text,
      multi: yesNo,
      refresh: whole,
      sort: whole,
      current: strict({ 'text!': text, 'value!': text }),
    }),
  ],
};
export const grafanaDashboardSchema: Schema = strict({
  'uid!': { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,40}$' },
  'title!': text,
  description: text,
  tags: list(text),
  'schemaVersion!': { type: 'integer', minimum: 39 },
  version: whole,
  editable: yesNo,
  graphTooltip: { enum: [0, 1, 2] },
  timezone: literal('browser', 'utc'),
  refresh: { type: 'string', pattern: '^\\d+[smh]$' },
  time: strict({ 'from!': text, 'to!': text }),
  'templating!': strict({ 'list!': list(variable, 1) }),
  annotations: strict({ 'list!': list(anything) }),
  links: list(anything),
  'panels!': list(panel, 1),
});

const duration: Schema = { type: 'string', pattern: '^(0|([0-9]+(ms|s|m|h|d|w|y))+)$' };
const recording = strict({
  'record!': { type: 'string', pattern: '^[a-zA-Z_:][a-zA-Z0-9_:]*$' },
  'expr!': text,
  labels: mapOf(anyText),
});
const alerting = strict({
  'alert!': { type: 'string', pattern: '^[A-Z][A-Za-z0-9]*$' },
  'expr!': text,
  for: duration,
  labels: mapOf(anyText),
  annotations: mapOf(anyText),
});
/** prometheus-operator @6adcebc5, monitoring.coreos.com_prometheusrules.yaml, in our own words; only the keys we use. */
export const prometheusRuleSchema: Schema = strict({
  'apiVersion!': literal('monitoring.coreos.com/v1'),
  'kind!': literal('PrometheusRule'),
  'metadata!': strict({
    'name!': { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', maxLength: 253 },
    labels: mapOf({ type: 'string', pattern: '^[A-Za-z0-9._-]{0,63}$' }),
  }),
  'spec!': strict({
    'groups!': list(
      strict({ 'name!': text, interval: duration, 'rules!': list({ anyOf: [recording, alerting] }, 1) }),
      1,
    ),
  }),
});
