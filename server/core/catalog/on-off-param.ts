import { z } from 'zod';
import { param } from './param';

/** State of a technique that an engine can also switch off explicitly. Unset is the node bypassed or absent. */
export const onOffParam = (description: string) =>
  param(z.enum(['on', 'off']).default('on'), {
    label: 'State',
    unit: null,
    description,
    kind: 'launch',
    sweep: ['on', 'off'],
  });
