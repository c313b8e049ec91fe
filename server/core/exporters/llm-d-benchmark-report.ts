import { Document } from 'yaml';
import { hashOf } from '../plan/canonical';
import { finding } from '../plan/finding';
import type { Component, Plan } from '../plan/plan';
import type { Point } from '../run/trial';
import type { Workload } from '../workload/workload';
import { loadName, loadText } from './benchmarks/benchmark-script';
import { aggregateLatency, aggregateRequests, aggregateThroughput } from './benchmarks/report-statistics';
import { oneLine } from './comment';
import { folderOf } from './export-plans';
import type { Exported, Exporter, ExportInput } from './exporter';
import type { MeasuredTrial } from './trial-evidence';

const ROLES = { prefill: 'prefill', decode: 'decode' } as const;

const hash = (value: unknown): string => hashOf(value).slice(0, 32);

/** A number that somebody asked for; 1 where nobody did. */
const count = (plan: Plan, name: string): number => {
  const asked = plan.settings[name]?.asked;
  return typeof asked === 'number' && Number.isInteger(asked) ? asked : 1;
};

const parallelism = (plan: Plan) => ({
  tp: count(plan, 'tensorParallel'),
  pp: count(plan, 'pipelineParallel'),
  dp: count(plan, 'dataParallel'),
  dp_local: count(plan, 'dataParallel'),
  ep: count(plan, 'expertParallel'),
  workers: 1,
});

/** Flags with their values; a flag that comes twice keeps both. Positional words have numbers for names. */
function nativeArgs({ args }: Component): Record<string, unknown> {
  const native: Record<string, unknown> = {};
  for (const [i, { flag, value }] of args.entries()) {
    const key = flag.startsWith('-') ? flag : `positional-${i + 1}`;
    const word = flag.startsWith('-') ? value : flag;
    native[key] = key in native ? [native[key], word].flat() : word;
  }
  return native;
}

function componentOf(plan: Plan, component: Component) {
  const model = plan.checkpoints.find(({ scope }) => scope === 'target');
  const role = component.role === 'prefill' || component.role === 'decode' ? ROLES[component.role] : 'replica';
  return {
    metadata: { schema_version: '0.0.1', label: component.name, cfg_id: hash([component.argv, component.env]) },
    standardized: {
      kind: 'inference_engine',
      tool: component.runtime ?? component.engine,
      tool_version: component.engineVersion,
      role,
      replicas: component.replicas,
      model: { name: model?.repo ?? 'unknown' },
      accelerator: {
        model: component.hardware.id,
        count: component.hardware.count,
        parallelism: parallelism(plan),
      },
    },
    native: { args: nativeArgs(component), envars: component.env },
  };
}

const fixed = (value: number) => ({ distribution: 'fixed', value });

function loadOf({ load, windowS }: Point, workload: Workload | undefined, seed: number | undefined) {
  if (workload === undefined) return null;
  const { prefixTokens } = workload;
  const native = { ...workload, loads: [load], seed: seed ?? null, windowS };
  return {
    metadata: { schema_version: '0.0.1', cfg_id: hash(native), description: `${workload.title}: ${loadText(load)}` },
    standardized: {
      tool: 'inferloom',
      tool_version: '0.1.0',
      source: 'random',
      input_seq_len: fixed(workload.inputTokens),
      output_seq_len: fixed(workload.outputTokens),
      ...(prefixTokens === 0
        ? {}
        : { prefix: { prefix_len: fixed(prefixTokens), num_groups: 1, num_users_per_group: 1, num_prefixes: 1 } }),
      ...(load.mode === 'closed' ? { concurrency: load.concurrency } : { rate_qps: load.ratePerS }),
    },
    native: { config: native },
  };
}

function reportOf(trial: MeasuredTrial, point: Point, workload: Workload | undefined) {
  const { plan, measuredAt, seed } = trial;
  const load = loadOf(point, workload, seed);
  return {
    version: '0.2',
    run: {
      uid: hash([trial.trialId ?? null, plan.planHash, measuredAt.toISOString(), point.workload, point.load]),
      eid: hash([plan.planHash, seed ?? null]),
      time: { duration: `PT${point.windowS}S` },
      description: oneLine(`${plan.label} (${plan.deployment}), plan ${plan.planHash.slice(0, 12)}`),
      keywords: ['inferloom', trial.outcome.stamp, point.role],
    },
    scenario: {
      stack: plan.components.map((component) => componentOf(plan, component)),
      ...(load === null ? {} : { load }),
    },
    results: {
      request_performance: {
        aggregate: {
          requests: aggregateRequests(point, workload),
          throughput: aggregateThroughput(point),
          latency: aggregateLatency(point.metrics),
        },
      },
    },
  };
}

const refuse = (plan: Plan, why: string): Exported => {
  const message = `${plan.deployment}: ${why}; a report states measurements only.`;
  return { files: [], findings: [finding('error', 'evidence-required', message, { nodeId: plan.deploymentNodeId })] };
};

function render({ plan, trial, workloads }: ExportInput): Exported {
  if (trial === null) return refuse(plan, 'no valid run of this plan is known');
  if (trial.plan.planHash !== plan.planHash) return refuse(plan, 'the run is of another plan');
  if (trial.outcome.stamp !== 'MEASURED') return refuse(plan, `the run is ${trial.outcome.stamp}`);
  const points = trial.outcome.points.filter(({ valid }) => valid);
  if (points.length === 0) return refuse(plan, 'no point of the run is valid');
  const files = points.map((point) => {
    const workload = workloads.find(({ id }) => id === point.workload);
    const document = new Document(reportOf(trial, point, workload), { aliasDuplicateObjects: false });
    document.commentBefore = [
      ` MEASURED ${trial.measuredAt.toISOString()}${trial.host === undefined ? '' : ` on ${oneLine(trial.host.cpuModel)}, ${trial.host.cores} cores`}`,
      ` Definitions: TPOT and ITL as in llm-d's report, in seconds; quantiles over the requests of the window.`,
    ].join('\n');
    const path = `benchmark-report-${folderOf(point.workload)}-${folderOf(loadName(point.load))}.yaml`;
    return { path, content: document.toString({ lineWidth: 0 }) };
  });
  const unknown = points.filter(({ workload }) => !workloads.some(({ id }) => id === workload));
  const findings = unknown.map(({ workload }) =>
    finding(
      'warning',
      'workload-unknown',
      `Workload ${workload} is not in the pipeline: its report has no load section.`,
    ),
  );
  return { files, findings };
}

export const llmdBenchmarkReport: Exporter = {
  id: 'llm-d-benchmark-report',
  group: 'benchmark',
  title: 'llm-d Benchmark Report',
  summary: 'what a run measured, as Benchmark Report 0.2; needs a valid measured run',
  refusal: () => null,
  supports: () => true,
  render,
};
