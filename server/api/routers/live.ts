import { tracked } from '@trpc/server';
import { z } from 'zod';
import { watchExperiment, watchTeam } from '../../services/live';
import { keepMembership } from '../membership';
import { router, viewerProcedure } from '../trpc';

const experimentInput = z.object({
  experimentId: z.uuid(),
  /** Number of the last event that the client holds; EventSource sends it again by itself after a cut. */
  lastEventId: z.union([z.string().regex(/^\d+$/), z.number().int().nonnegative()]).nullish(),
});

export const liveRouter = router({
  /**
   * `{ type: 'events', events }` in order without a gap, each batch tracked by its last `seq`; `{ type: 'reset',
   * lastSeq }` when the stream was shortened behind the client: fetch the experiment again and go on from there.
   */
  experiment: viewerProcedure.input(experimentInput).subscription(async function* ({ ctx, input, signal }) {
    const ends = keepMembership(ctx, signal);
    try {
      const after = Number(input.lastEventId ?? 0);
      for await (const message of watchExperiment(ctx.scope, input.experimentId, after, ends.signal)) {
        const seq = message.type === 'reset' ? message.lastSeq : (message.events.at(-1)?.seq ?? after);
        yield tracked(String(seq), message);
      }
      ends.throwIfRefused();
    } finally {
      ends.stop();
    }
  }),
  /** What a page of the team should fetch again. */
  team: viewerProcedure.subscription(async function* ({ ctx, signal }) {
    const ends = keepMembership(ctx, signal);
    try {
      for await (const nudge of watchTeam(ctx.scope, ends.signal)) yield nudge;
      ends.throwIfRefused();
    } finally {
      ends.stop();
    }
  }),
});
