'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { ApiKeysTable } from './api-keys-table';
import { ConfirmDialog } from './confirm-dialog';
import { Fetched } from './fetched';
import { NewKeyDialog } from './new-key-dialog';
import { TabHead } from './tab-head';

export type ApiKey = ApiOutputs['tokens']['list'][number];

export function ApiKeysTab() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const keys = useQuery(trpc.tokens.list.queryOptions());
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      onSuccess: () => setRevoking(null),
      onError: (error) => toast.error(`It was not revoked: ${error.message}`),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.tokens.pathKey() }),
    }),
  );
  const add = (
    <Button tone="primary" onClick={() => setMaking(true)}>
      New API key
    </Button>
  );
  return (
    <>
      <TabHead actions={add}>
        For scripts and the command line. A key acts with its own role, whoever made it. Workers have tokens of their
        own.
      </TabHead>
      <Fetched query={keys} what="the API keys">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No API keys yet">
              With one, a build server can run a pipeline here and fail when it got slower.
            </EmptyState>
          ) : (
            <ApiKeysTable keys={rows} onRevoke={setRevoking} />
          )
        }
      </Fetched>
      {making ? <NewKeyDialog onClose={() => setMaking(false)} /> : null}
      <ConfirmDialog
        open={revoking !== null}
        title={`Revoke “${revoking?.name ?? ''}”?`}
        description="Whatever uses it is refused from its next request on. A revoked key cannot be brought back."
        verb="Revoke"
        busy={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate({ id: revoking.id })}
        onClose={() => setRevoking(null)}
      />
    </>
  );
}
