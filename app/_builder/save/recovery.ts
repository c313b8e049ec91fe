import { z } from 'zod';
import { type Pipeline, pipelineSchema } from '@/server/core/pipeline/document';

const recoverySchema = z.object({ revision: z.number().int(), at: z.string(), document: pipelineSchema });
/** Edits that are not on the server yet, kept in this browser. `at`: UTC, ISO 8601. */
export type Recovery = z.infer<typeof recoverySchema>;

const keyOf = (pipelineId: string): string => `inferloom.recovery.${pipelineId}`;

/** Null where there is none or the stored text is not ours. */
export function readRecovery(storage: Storage, pipelineId: string): Recovery | null {
  const text = storage.getItem(keyOf(pipelineId));
  if (text === null) return null;
  try {
    const parsed = recoverySchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** False where the browser's storage is full or switched off. */
export function writeRecovery(
  storage: Storage,
  pipelineId: string,
  revision: number,
  document: Pipeline,
  at: Date,
): boolean {
  try {
    storage.setItem(keyOf(pipelineId), JSON.stringify({ revision, at: at.toISOString(), document }));
    return true;
  } catch {
    return false;
  }
}

export const clearRecovery = (storage: Storage, pipelineId: string): void => storage.removeItem(keyOf(pipelineId));
