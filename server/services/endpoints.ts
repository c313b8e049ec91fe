import { AppError } from '../errors';
import type { StartResult } from './experiment-views';
import type { Scope } from './scope';

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

/** Measures endpoints that somebody else runs: a pipeline of endpoint engines, its keys as secrets, one experiment. */
export async function measureEndpoints(
  _scope: Scope,
  _input: MeasureInput,
): Promise<StartResult & { pipelineId: string }> {
  throw new AppError('unavailable', 'Endpoints cannot be measured in this build yet.');
}
