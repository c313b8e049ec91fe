'use client';

import { useQuery } from '@tanstack/react-query';
import type { ParamDescription } from '@/server/core/catalog/param';

export interface Choice {
  value: string;
  label: string;
}

/** Known values for controls that read a table: models, devices, engines. The tables load when first needed. */
async function loadChoices(control: NonNullable<ParamDescription['control']>): Promise<Choice[]> {
  if (control === 'model') {
    const { MODELS } = await import('@/server/core/facts/models');
    return MODELS.map(({ id, title }) => ({ value: id, label: title }));
  }
  if (control === 'hardware') {
    const { HARDWARE } = await import('@/server/core/facts/hardware');
    return HARDWARE.map(({ id, title }) => ({ value: id, label: title }));
  }
  if (control === 'engine') {
    const { ENGINES } = await import('@/server/core/engines/index');
    return ENGINES.map(({ id, title }) => ({ value: id, label: title }));
  }
  return [];
}

export function useChoices(control: ParamDescription['control']): Choice[] {
  const choices = useQuery({
    queryKey: ['choices', control],
    queryFn: () => (control ? loadChoices(control) : []),
    enabled: control === 'model' || control === 'hardware' || control === 'engine',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return choices.data ?? [];
}
