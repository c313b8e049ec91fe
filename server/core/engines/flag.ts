import { z } from 'zod';

/**
 * What an argument can do beyond configuring the engine: read or write a path, reach the network, run code that it
 * names, carry a secret. The agent admits `code` by opt-in only and keeps `path` under its roots.
 */
export const FLAG_RISKS = ['none', 'path', 'network', 'code', 'secret'] as const;

export const flagFactSchema = z.object({
  /** First spelling; a positional argument has no dashes. */
  name: z.string(),
  aliases: z.array(z.string()),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'enum', 'enum-list', 'list', 'json', 'path']),
  values: z.array(z.string()).nullable(),
  default: z.unknown(),
  does: z.string(),
  group: z.string(),
  positional: z.boolean(),
  /** Environment variable that sets the same thing. */
  env: z.string().nullable(),
  /** First and last release that has it; null: no bound known. */
  since: z.string().nullable(),
  until: z.string().nullable(),
  risk: z.enum(FLAG_RISKS),
});
export type FlagFact = Readonly<z.infer<typeof flagFactSchema>>;

export const flagTableSchema = z.object({
  engine: z.string(),
  source: z.string(),
  flags: z.array(flagFactSchema),
  /** Spellings that the engine no longer knows, and what took their place. */
  removed: z.array(z.object({ name: z.string(), now: z.string(), until: z.string().nullable() })),
});
export type FlagTable = Readonly<z.infer<typeof flagTableSchema>>;

const indexed = new WeakMap<FlagTable, ReadonlyMap<string, FlagFact>>();

/** Flags by every spelling; of two that share one, the first of the table has it. */
function spellings(table: FlagTable): ReadonlyMap<string, FlagFact> {
  const known = indexed.get(table);
  if (known) return known;
  const all = table.flags.flatMap((flag) => [flag.name, ...flag.aliases].map((name) => [name, flag] as const));
  const index = new Map(all.reverse());
  indexed.set(table, index);
  return index;
}

/** The flag of that spelling, with or without `=value`; null where the table has none. */
export function findFlag(table: FlagTable, word: string): FlagFact | null {
  const name = word.startsWith('-') ? (word.split('=', 1)[0] ?? word) : word;
  return spellings(table).get(name) ?? null;
}
