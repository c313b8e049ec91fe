'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/api';
import { Select } from '@/app/_ui/select';

/** One of the team's pipelines, or any. A pipeline that is not among the newest stays chosen by its id. */
export function PipelineFilter({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const trpc = useTRPC();
  const pipelines = useQuery(trpc.pipelines.list.queryOptions({ limit: 100 }));
  const options = pipelines.data?.items.map((p) => ({ value: p.id, label: p.name })) ?? [];
  const missing = value !== null && !options.some((option) => option.value === value);
  return (
    <Select
      aria-label="Pipeline"
      className="w-44"
      options={[
        { value: '', label: 'Any pipeline' },
        ...(missing && value ? [{ value, label: 'the chosen pipeline' }] : []),
        ...options,
      ]}
      value={value ?? ''}
      onValueChange={(next) => onChange(next || null)}
    />
  );
}
