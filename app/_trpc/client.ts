import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from './api';

const URL_PATH = '/api/trpc';

/** Subscriptions go over server-sent events and resume by the last event's id; all else is batched. */
export const createApiClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription',
        true: httpSubscriptionLink({ url: URL_PATH, transformer: superjson }),
        false: httpBatchLink({ url: URL_PATH, transformer: superjson, maxItems: 10 }),
      }),
    ],
  });

/** The code that the server gave to a refused request, or null where it was never reached. */
export const errorCode = (error: unknown): string | null => {
  if (!(error instanceof TRPCClientError)) return null;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string'
    ? data.code
    : null;
};

/** True where no answer came at all: the network is down or the server is being restarted. */
export const isOffline = (error: unknown): boolean => error instanceof TRPCClientError && errorCode(error) === null;

const MAX_RETRIES = 3;

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        /** A refusal stays a refusal; only a lost connection is tried again. */
        retry: (failures, error) => isOffline(error) && failures < MAX_RETRIES,
      },
    },
  });
