'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';

/** Asks once, then cancels. The page learns of the end from the stream. */
export function CancelButton({ id, requested }: { id: string; requested: boolean }) {
  const trpc = useTRPC();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.experiments.cancel.mutationOptions({
      onSuccess: () => setAsking(false),
      onError: (error) => toast.error(`It was not cancelled: ${error.message}`),
    }),
  );
  const sent = requested || cancel.isSuccess;
  return (
    <>
      <Button disabled={sent} onClick={() => setAsking(true)}>
        {sent ? 'Cancelling' : 'Cancel'}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this experiment?"
        description="The trial that runs is stopped. Trials that have ended keep their figures."
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Let it run</Button>
            <Button tone="danger" disabled={cancel.isPending} onClick={() => cancel.mutate({ id })}>
              Cancel the experiment
            </Button>
          </>
        }
      />
    </>
  );
}
