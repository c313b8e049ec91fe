import { tracked } from '@trpc/server';
import { z } from 'zod';
import { watchExperiment, watchTeam } from '../../services/live';
import type { ApiContext, Caller } from '../context';
import { keepMembership } from '../membership';
import { toTrpcError } from '../translate-error';
import { router, viewerProcedure } from '../trpc';

const experimentInput = z.object({
  experimentId: z.uuid(),
  /** Number of the last event that the client holds; EventSource sends it again by itself after a cut. */
  lastEventId: z.union([z.string().regex(/^\d+$/), z.number().int().nonnegative()]).nullish(),
});

/**
 * Runs a subscription for as long as its caller is a member. What goes wrong inside a stream passes no middleware, so
 * it is translated here; clients come back by themselves on `unavailable`.
 */
async function* whileMember<T>(
  ctx: ApiContext & { caller: Caller },
  clientSignal: AbortSignal | undefined,
  watch: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const ends = keepMembership(ctx, clientSignal);
  try {
    yield* watch(ends.signal);
    ends.throwIfRefused();
  } catch (error) {
    throw toTrpcError(error);
  } finally {
    ends.stop();
  }
}

export const liveRouter = router({
  /**
   * `{ type: 'events', events }` in order without a gap, each batch tracked by its last `seq`; `{ type: 'reset',
   * lastSeq }` when the stream was shortened behind the client: fetch the experiment again and go on from there.
   */
  experiment: viewerProcedure.input(experimentInput).subscription(async function* ({ ctx, input, signal }) {
    const after = Number(input.lastEventId ?? 0);
    const messages = whileMember(ctx, signal, (ends) => watchExperiment(ctx.scope, input.experimentId, after, ends));
    for await (const message of messages) {
      const seq = message.type === 'reset' ? message.lastSeq : (message.events.at(-1)?.seq ?? after);
      yield tracked(String(seq), message);
    }
  }),
  /** What a page of the team should fetch again. */
  team: viewerProcedure.subscription(async function* ({ ctx, signal }) {
    yield* whileMember(ctx, signal, (ends) => watchTeam(ctx.scope, ends));
  }),
});
