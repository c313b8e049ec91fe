import { AppError, isAppError } from '../errors';
import type { ApiContext, Caller } from './context';
import { resolveCaller } from './resolve-caller';

const CHECK_MS = 60_000;

/**
 * Ends a subscription when its client leaves, and when its caller is no member any more: sessions, keys and roles are
 * looked at again every minute.
 */
export function keepMembership(ctx: ApiContext & { caller: Caller }, clientSignal: AbortSignal | undefined) {
  const controller = new AbortController();
  let refused = false;
  const abort = (): void => controller.abort();
  clientSignal?.addEventListener('abort', abort, { once: true });
  if (clientSignal?.aborted) abort();
  const timer = setInterval(async () => {
    try {
      const caller = await resolveCaller(ctx.headers);
      refused = caller?.team.id !== ctx.caller.team.id;
    } catch (error) {
      // A key that ended is refused by the look-up itself. While the database is away nobody is judged.
      refused = isAppError(error);
    }
    if (refused) abort();
  }, CHECK_MS);
  timer.unref();
  return {
    signal: controller.signal,
    throwIfRefused: (): void => {
      if (refused) throw new AppError('unauthorized', 'You are signed out, or no longer in this team.');
    },
    stop: (): void => {
      clearInterval(timer);
      clientSignal?.removeEventListener('abort', abort);
      abort();
    },
  };
}
