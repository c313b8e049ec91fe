'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import type { Finding } from '@/server/core/plan/finding';
import { useBuilder } from '../builder-context';
import type { Autosave } from '../save/use-autosave';

/** Saves, starts an experiment on exactly the saved revision, and goes to its page. */
export function useRun(pipelineId: string, autosave: Autosave) {
  const { ui } = useBuilder();
  const trpc = useTRPC();
  const router = useRouter();
  const [refused, setRefused] = useState<readonly Finding[] | null>(null);
  const busy = useRef(false);
  const [starting, setStarting] = useState(false);
  const start = useMutation(
    trpc.experiments.start.mutationOptions({
      onSuccess: (answer) => {
        if (answer.started) router.push(`/experiments/${answer.experimentId}`);
        else setRefused(answer.findings);
      },
      onError: (error) => toast.error(`The run did not start: ${error.message}`),
      onSettled: () => {
        busy.current = false;
        setStarting(false);
      },
    }),
  );
  const begin = async () => {
    if (busy.current) return;
    const errors = ui.getState().compiled?.findings.filter((finding) => finding.severity === 'error') ?? [];
    if (errors.length > 0) {
      setRefused(errors);
      return;
    }
    busy.current = true;
    setStarting(true);
    if (await autosave.flush()) start.mutate({ pipelineId, revision: autosave.revision() });
    else {
      busy.current = false;
      setStarting(false);
      toast.error('Your last edits are not on the server yet, so nothing was run.');
    }
  };
  return { start: () => void begin(), starting, refused, dismiss: () => setRefused(null) };
}
