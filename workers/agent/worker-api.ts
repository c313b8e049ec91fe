import type { z } from 'zod';
import type {
  appendInput,
  appendOutput,
  ClaimedBlock,
  finishInput,
  finishOutput,
  heartbeatInput,
  heartbeatOutput,
  registerInput,
  registerOutput,
} from '@/server/core/run/protocol';

/** What the agent asks of a server. `worker-client` speaks it over HTTP; tests have one in memory. */
export interface WorkerApi {
  register(input: z.infer<typeof registerInput>): Promise<z.infer<typeof registerOutput>>;
  claim(input: { workerId: string }): Promise<ClaimedBlock | null>;
  heartbeat(input: z.infer<typeof heartbeatInput>): Promise<z.infer<typeof heartbeatOutput>>;
  append(input: z.infer<typeof appendInput>): Promise<z.infer<typeof appendOutput>>;
  finish(input: z.infer<typeof finishInput>): Promise<z.infer<typeof finishOutput>>;
}

/**
 * Why a call failed, as far as the agent acts on it: `lost` the attempt is no longer ours · `too-large` send less ·
 * `too-many` wait · `unavailable` the server can't be reached or is failing, try again · `protocol` versions don't
 * match · `register` the server does not know this worker (any more) · `refused` anything else that trying again won't change.
 */
export type ApiProblem = 'lost' | 'too-large' | 'too-many' | 'unavailable' | 'protocol' | 'register' | 'refused';

export class WorkerApiError extends Error {
  constructor(
    readonly problem: ApiProblem,
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
