import type { ValidatedParams } from '../catalog/validate-params';
import type { PipelineNode } from '../pipeline/document';
import { type Finding, finding } from '../plan/finding';
import { type Load, type Slo, type Workload, workloadSchema } from '../workload/workload';

const SLO_FIELDS = { sloTtftMs: 'ttftMs', sloTpotMs: 'tpotMs', sloItlMs: 'itlMs', sloE2eMs: 'e2eMs' } as const;

function slosOf(params: Record<string, unknown>): Slo[] {
  const percentile = Number(params.sloPercentile);
  return Object.entries(SLO_FIELDS).flatMap(([field, metric]) => {
    const limitMs = params[field];
    return typeof limitMs === 'number' ? [{ metric, limitMs, percentile }] : [];
  });
}

/** A swept load parameter gives one load level a value. */
function loadsOf({ values, sweeps }: ValidatedParams): Load[] {
  const levels = (field: string): number[] =>
    (sweeps.find((sweep) => sweep.field === field)?.values ?? [values[field]]).map(Number);
  if (values.mode === 'closed') return levels('concurrency').map((concurrency) => ({ mode: 'closed', concurrency }));
  const mode = values.mode === 'poisson' ? 'poisson' : 'constant';
  return levels('ratePerS').map((ratePerS) => ({ mode, ratePerS }));
}

function compileWorkload(
  node: PipelineNode,
  validated: ValidatedParams,
): { workload: Workload | null; findings: Finding[] } {
  const { values } = validated;
  if (Number(values.prefixTokens) > Number(values.inputTokens)) {
    const message = `The shared prefix (${values.prefixTokens} tokens) is longer than the prompt (${values.inputTokens}).`;
    const where = { nodeId: node.id, field: 'prefixTokens' };
    return { workload: null, findings: [finding('error', 'prefix-longer-than-prompt', message, where)] };
  }
  const title = typeof values.name === 'string' && values.name !== '' ? values.name : node.id;
  const shape = { ...values, id: node.id, nodeId: node.id, title, loads: loadsOf(validated), slos: slosOf(values) };
  return { workload: workloadSchema.parse(shape), findings: [] };
}

function checkRoles(workloads: readonly Workload[]): Finding[] {
  const targets = workloads.filter((workload) => workload.role === 'target');
  if (targets.length === 1) return [];
  if (targets.length === 0) {
    const message = 'No workload has the role "target"; add one, so that there is something to measure with.';
    return [finding('error', 'no-target-workload', message, { nodeId: workloads[0]?.nodeId ?? null })];
  }
  return targets.slice(1).map((extra) => {
    const message = `Two workloads have the role "target": ${targets[0]?.id} and ${extra.id}. One is the target, others are guards.`;
    const fix: Finding['fix'] = {
      label: 'Make it a guard',
      edits: [{ op: 'set-param', nodeId: extra.id, field: 'role', value: 'guard' }],
    };
    return finding('error', 'several-target-workloads', message, { nodeId: extra.nodeId, field: 'role', fix });
  });
}

/** Workloads of an experiment, the target first. Those with faulty parameters (`broken`) are left out. */
export function compileWorkloads(
  nodes: readonly PipelineNode[],
  params: ReadonlyMap<string, ValidatedParams>,
  broken: ReadonlySet<string>,
): { workloads: Workload[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const workloads: Workload[] = [];
  const candidates = nodes.filter((node) => node.type === 'workload');
  for (const node of candidates) {
    const validated = params.get(node.id);
    if (!validated || broken.has(node.id)) continue;
    const compiled = compileWorkload(node, validated);
    findings.push(...compiled.findings);
    if (compiled.workload) workloads.push(compiled.workload);
  }
  workloads.sort((a, b) => Number(a.role === 'guard') - Number(b.role === 'guard'));
  // A workload that could not be read has its own finding; a missing target then is a consequence, not a second fault.
  const faulty = workloads.length < candidates.length;
  return { workloads, findings: [...findings, ...(faulty ? [] : checkRoles(workloads))] };
}

/** Slack for chat templates and stop tokens. */
const TEMPLATE_TOKENS = 32;
/** llama.cpp pads a context to multiples of this; what is asked is then what is got. */
const STEP_TOKENS = 256;

/**
 * Length that every sequence must be able to reach: the longest prompt and output of any workload plus 32 tokens for
 * the template, rounded up to 256, but never more than the model was made for. Null without workloads.
 */
export function servedTokens(workloads: readonly Workload[], modelMaxTokens: number | null): number | null {
  if (workloads.length === 0) return null;
  const longest = Math.max(...workloads.map((workload) => workload.inputTokens + workload.outputTokens));
  const served = Math.ceil((longest + TEMPLATE_TOKENS) / STEP_TOKENS) * STEP_TOKENS;
  return modelMaxTokens === null ? served : Math.min(served, Math.max(modelMaxTokens, longest));
}
