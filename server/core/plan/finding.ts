import { z } from 'zod';
import { edgeSchema, nodeSchema } from '../pipeline/document';

/** One change that a quick fix makes to the pipeline. Applied in order by `pipeline/apply-edits`. */
export const editSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('set-param'), nodeId: z.string(), field: z.string(), value: z.unknown() }),
  z.object({ op: z.literal('set-bypass'), nodeId: z.string(), bypassed: z.boolean() }),
  z.object({ op: z.literal('add-node'), node: nodeSchema }),
  z.object({ op: z.literal('remove-node'), nodeId: z.string() }),
  z.object({ op: z.literal('add-edge'), edge: edgeSchema }),
  z.object({ op: z.literal('remove-edge'), edge: edgeSchema }),
]);
export type Edit = z.infer<typeof editSchema>;

/**
 * A problem shown to a user. Returned, never thrown.
 * `code` is kebab-case and stable; `nodeId` and `field` name the place, null where the whole document is meant.
 * Code `not-checked` marks a rule that could not be judged because a fact is missing.
 */
export const findingSchema = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  nodeId: z.string().nullable(),
  field: z.string().nullable(),
  message: z.string(),
  source: z.string().nullable(),
  fix: z.object({ label: z.string(), edits: z.array(editSchema) }).nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

/** Builds a finding; whatever is left out is null. */
export function finding(
  severity: Finding['severity'],
  code: string,
  message: string,
  where: Partial<Pick<Finding, 'nodeId' | 'field' | 'source' | 'fix'>> = {},
): Finding {
  return { severity, code, message, nodeId: null, field: null, source: null, fix: null, ...where };
}
