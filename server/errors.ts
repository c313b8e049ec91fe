/** Codes of a refused request; translated to HTTP and tRPC in one place (server/api/trpc.ts). */
export type AppErrorCode =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'payload-too-large'
  | 'too-many-requests'
  | 'unavailable';

/** A request that we refuse, with a sentence for the person who made it. `details` is safe to show. */
export class AppError extends Error {
  constructor(
    readonly code: AppErrorCode,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'AppError';
  }
}

/** True for an AppError of any bundle: the process holds the class once for each of Next's bundles. */
export const isAppError = (error: unknown): error is AppError => error instanceof Error && error.name === 'AppError';
