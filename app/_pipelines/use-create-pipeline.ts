'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';

/** Makes a pipeline and opens it. */
export function useCreatePipeline() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.pipelines.create.mutationOptions({
      onSuccess: (made) => {
        void queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() });
        router.push(`/pipelines/${made.id}`);
      },
      onError: (error) => toast.error(`The pipeline was not made: ${error.message}`),
    }),
  );
}

/** Pipelines that ship with the product; they change only with it. */
export function useExamples() {
  const trpc = useTRPC();
  return useQuery(trpc.pipelines.examples.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
}
