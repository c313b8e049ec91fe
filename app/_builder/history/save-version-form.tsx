'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Input } from '@/app/_ui/input';

/** Saves what waits, then keeps the stored document under a number and a name. */
export function useSaveVersion(pipelineId: string, flush: () => Promise<boolean>) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const save = useMutation(
    trpc.pipelines.saveVersion.mutationOptions({
      onSuccess: (version) => {
        toast.success(`Version ${version.number} saved.`);
        void queryClient.invalidateQueries({ queryKey: trpc.pipelines.versions.pathKey() });
      },
      onError: (error) => toast.error(`The version was not saved: ${error.message}`),
    }),
  );
  return async (name: string | null) => {
    if (await flush()) save.mutate({ id: pipelineId, name });
    else toast.error('Your last edits are not on the server yet, so no version was made.');
  };
}

export function SaveVersionForm({ pipelineId, flush }: { pipelineId: string; flush: () => Promise<boolean> }) {
  const [name, setName] = useState('');
  const saveVersion = useSaveVersion(pipelineId, flush);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saveVersion(name.trim() || null);
    setName('');
  };
  return (
    <form onSubmit={submit} className="flex gap-2">
      <Input
        aria-label="Name of the version"
        placeholder="Name (optional)"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit">Save a version</Button>
    </form>
  );
}
