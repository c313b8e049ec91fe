import { TRPCError } from '@trpc/server';
import type { z } from 'zod';
import { type AppErrorCode, isAppError } from '../errors';
import { log } from '../log';

const TRPC_CODES = {
  'bad-request': 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  'payload-too-large': 'PAYLOAD_TOO_LARGE',
  'too-many-requests': 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<AppErrorCode, TRPCError['code']>;

/** The one translation of a refused request. A bug keeps its message in the log and shows none to the caller. */
export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  if (isAppError(error)) {
    return new TRPCError({ code: TRPC_CODES[error.code], message: error.message, cause: error });
  }
  log.error({ err: error }, 'a procedure failed');
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong on the server.' });
}

/** Bad input as a sentence: which field, what is wrong with it. */
export function describeInput(error: z.ZodError): string {
  return error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; ');
}
