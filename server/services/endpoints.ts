import { createHash, randomInt } from 'node:crypto';
import { type Pipeline as Document, PIPELINE_VERSION, type PipelineNode } from '../core/pipeline/document';
import { toJson } from '../db/json';
import { storeExperiment } from './experiment-store';
import type { StartResult } from './experiment-views';
import { freeze } from './freeze';
import { notifyTeam } from './nudges';
import { type Scope, writeAudit } from './scope';
import { writeSecret } from './secrets';

export interface EndpointTarget {
  label: string;
  url: string;
  model: string;
  apiKey: string | null;
}
export interface MeasureInput {
  /** One endpoint, or two: the first is the baseline. */
  targets: EndpointTarget[];
  inputTokens: number;
  outputTokens: number;
  concurrency: number;
  blocks: number;
  windowS: number;
}
export type MeasureResult = StartResult & { pipelineId: string | null };

const MAX_SEED = 2 ** 31;
const WARMUP_S = 3;

/** One secret for each address and key, so that measuring again leaves no second one. */
export function secretNameOf(target: Pick<EndpointTarget, 'url' | 'apiKey'>): string | null {
  if (target.apiKey === null) return null;
  const host = new URL(target.url).hostname.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  const mark = createHash('sha256').update(`${target.url}\n${target.apiKey}`).digest('hex').slice(0, 8).toUpperCase();
  return `INFERLOOM_SECRET_${host}_${mark}`;
}

function nodesOf(target: EndpointTarget, index: number, input: MeasureInput): PipelineNode[] {
  const engine = { engine: 'endpoint', url: target.url, model: target.model, apiKeySecret: secretNameOf(target) };
  const deployment = { name: target.label, ...(index === 0 ? { baseline: true, blocks: input.blocks } : {}) };
  const y = index * 160;
  return [
    { id: `endpoint-${index + 1}`, type: 'engine', params: engine, position: { x: 0, y } },
    { id: `deployment-${index + 1}`, type: 'deployment', params: deployment, position: { x: 360, y } },
  ];
}

/** The graph of the measurement: one endpoint engine and one deployment a target, one workload. */
export function endpointPipeline(input: MeasureInput): Document {
  const { inputTokens, outputTokens, concurrency, windowS, targets } = input;
  const workload = { inputTokens, outputTokens, mode: 'closed', concurrency, windowS, warmupS: WARMUP_S };
  return {
    version: PIPELINE_VERSION,
    nodes: [
      ...targets.flatMap((target, index) => nodesOf(target, index, input)),
      { id: 'workload', type: 'workload', params: workload, position: { x: 0, y: targets.length * 160 } },
    ],
    edges: targets.map((_, index) => ({
      from: { node: `endpoint-${index + 1}`, port: 'engine' },
      to: { node: `deployment-${index + 1}`, port: 'engine' },
    })),
  };
}

/**
 * Measures endpoints that somebody else runs. In one transaction: keys as secrets, the pipeline, the frozen
 * experiment. Error findings store nothing.
 */
export async function measureEndpoints(scope: Scope, input: MeasureInput): Promise<MeasureResult> {
  const document = endpointPipeline(input);
  const { spec, findings } = freeze(document, { seed: randomInt(1, MAX_SEED), blocks: input.blocks });
  if (!spec) return { started: false, findings, pipelineId: null };
  const { teamId, actor } = scope;
  const title = input.targets.map((target) => target.label).join(' and ');
  return scope.db.$transaction(async (tx): Promise<MeasureResult> => {
    for (const target of input.targets) {
      const name = secretNameOf(target);
      if (name !== null && target.apiKey !== null) await writeSecret(tx, scope, { name, value: target.apiKey });
    }
    const pipeline = await tx.pipeline.create({
      data: { teamId, name: title, document: toJson(document), createdBy: actor.name, updatedBy: actor.name },
    });
    await writeAudit(tx, scope, {
      action: 'pipeline.create',
      subjectKind: 'pipeline',
      subjectId: pipeline.id,
      detail: { name: title },
    });
    await notifyTeam(tx, teamId, 'pipelines', pipeline.id);
    const of = { spec, document, title, pipelineId: pipeline.id, pipelineRevision: pipeline.revision, findings };
    return { started: true, pipelineId: pipeline.id, ...(await storeExperiment(tx, scope, of)) };
  });
}
