import type { Finding } from '../plan/finding';
import type { SettingName } from '../plan/settings';
import type { Slo, Workload } from '../workload/workload';
import { closedConcurrency, fixParam, judged, placeOf } from './judge';
import type { Rule, RuleContext } from './rule';

/** Clients from which on a workload without a limit is after throughput. */
const BATCH_CLIENTS = 32;
/** A step of that many prompt tokens holds up every stream for hundreds of milliseconds on most devices. */
const LONG_STEP_TOKENS = 16_384;
/** Below that the weights are read again for every few prompt tokens. */
const SHORT_STEP_TOKENS = 1024;

const limitOf = ({ slos }: Workload, ...metrics: Slo['metric'][]): Slo | null =>
  slos.filter(({ metric }) => metrics.includes(metric)).sort((a, b) => a.limitMs - b.limitMs)[0] ?? null;

const isOnline = (workload: Workload): boolean => workload.slos.length > 0;
const isOffline = (workload: Workload): boolean =>
  workload.slos.length === 0 && closedConcurrency(workload) >= BATCH_CLIENTS;

type Mismatch = {
  setting: SettingName;
  severity: Finding['severity'];
  message: string;
  value?: unknown;
  label?: string;
};

/** Settings of a batch job under a limit on latency. */
function againstLatency(ctx: RuleContext, workload: Workload): Mismatch[] {
  const found: Mismatch[] = [];
  const between = limitOf(workload, 'itlMs', 'tpotMs');
  const first = limitOf(workload, 'ttftMs', 'e2eMs');
  const step = ctx.asked('prefillTokensPerStep')?.value ?? 0;
  if (between !== null && step >= LONG_STEP_TOKENS) {
    const message = `${workload.title} limits ${between.metric.replace('Ms', '').toUpperCase()} to ${between.limitMs} ms; a step with ${step} prompt tokens holds up every stream that decodes beside it.`;
    found.push({
      setting: 'prefillTokensPerStep',
      severity: 'warning',
      message,
      value: 2048,
      label: 'Take 2,048 tokens a step',
    });
  }
  if (between !== null && ctx.asked('chunkedPrefill')?.value === 'off') {
    const message = `${workload.title} limits ${between.metric.replace('Ms', '').toUpperCase()} to ${between.limitMs} ms; without chunked prefill a whole prompt of ${workload.inputTokens} tokens runs between two tokens of the others.`;
    found.push({ setting: 'chunkedPrefill', severity: 'warning', message });
  }
  const wait = ctx.asked('batchWaitMs')?.value ?? 0;
  if (first !== null && wait > first.limitMs / 10) {
    const message = `Requests of ${workload.title} wait up to ${wait} ms for others to share their batch, of the ${first.limitMs} ms that they have.`;
    found.push({
      setting: 'batchWaitMs',
      severity: wait >= first.limitMs ? 'error' : 'warning',
      message,
      value: 0,
      label: 'Wait for nobody',
    });
  }
  const interval = ctx.asked('streamIntervalTokens')?.value ?? 1;
  if (between !== null && interval > 1) {
    const message = `The server sends ${interval} tokens at a time: what ${workload.title} sees between them is ${interval} steps long, against a limit of ${between.limitMs} ms.`;
    found.push({ setting: 'streamIntervalTokens', severity: 'warning', message, value: 1, label: 'Send every token' });
  }
  return found;
}

/** Settings for low latency where only throughput counts. */
function againstThroughput(ctx: RuleContext, workload: Workload): Mismatch[] {
  const clients = closedConcurrency(workload);
  const step = ctx.asked('prefillTokensPerStep')?.value ?? null;
  if (step === null || step > SHORT_STEP_TOKENS || workload.inputTokens <= step) return [];
  const message = `${workload.title} runs ${clients} clients without any limit on latency; steps of ${step} prompt tokens read the weights ${Math.ceil(workload.inputTokens / step)} times for each prompt.`;
  return [
    { setting: 'prefillTokensPerStep', severity: 'warning', message, value: 8192, label: 'Take 8,192 tokens a step' },
  ];
}

export const objectiveMismatch: Rule = {
  id: 'objective-mismatch',
  summary: 'settings of a batch job under a limit on latency, or the reverse',
  source: 'facts/notes.md 4 (chunked prefill re-reads weights), 11.8 (prefill holds up decode)',
  check(ctx) {
    const mismatches = ctx.workloads.flatMap((workload) => [
      ...(isOnline(workload) ? againstLatency(ctx, workload) : []),
      ...(isOffline(workload) ? againstThroughput(ctx, workload) : []),
    ]);
    return mismatches.map(({ setting, severity, message, value, label }) => {
      const place = placeOf(ctx, setting);
      const fix = label === undefined ? null : fixParam(place, value, label);
      return judged(this, severity, message, { ...place, fix });
    });
  },
};
