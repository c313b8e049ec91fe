import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';

interface FetchedProps<T> {
  query: { data: T | undefined; isError: boolean; error: { message: string } | null; refetch: () => unknown };
  /** As in "the members". */
  what: string;
  children: (data: T) => ReactNode;
}

/** Shows what came; until then that it is on its way, or why it did not come. */
export function Fetched<T>({ query, what, children }: FetchedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Loading what={what} />;
  return (
    <Problem title={`Not loaded: ${what}.`} actions={<Button onClick={() => query.refetch()}>Try again</Button>}>
      {query.error?.message}
    </Problem>
  );
}
