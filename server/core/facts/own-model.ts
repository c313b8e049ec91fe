import { z } from 'zod';
import { kvBytesPerToken } from './kv-cache';
import { type ModelFacts, modelFactsSchema, partOf } from './model-facts';

const described = modelFactsSchema.omit({ id: true, title: true, repo: true, source: true });

/**
 * Facts of a model that is in no table, as the pipeline document holds them in its model node. What nobody said is left
 * out. `source`: where they come from, e.g. `config.json` or `by hand`.
 */
export const ownModelSchema = described
  .partial()
  .required({ layers: true, hidden: true, heads: true, vocab: true })
  .extend({ source: z.string().min(1).default('by hand') })
  .strict();
export type OwnModel = z.infer<typeof ownModelSchema>;

const NOTHING = Object.fromEntries(Object.keys(described.shape).map((name) => [name, null]));

function architectureOf(own: OwnModel): ModelFacts['architecture'] {
  if (own.architecture !== undefined) return own.architecture;
  if (partOf(own.linearAttention ?? null) !== null) return 'hybrid';
  return partOf(own.experts ?? null) === null ? 'dense' : 'moe';
}

/** Facts in the shape of the table: what was not said is null, what follows from the rest is computed. */
export function completeOwnModel(name: string, own: OwnModel): ModelFacts {
  const facts: ModelFacts = modelFactsSchema.parse({
    ...NOTHING,
    formats: ['safetensors:unknown'],
    quantizedRepos: {},
    draftModels: [],
    speculators: [],
    ...own,
    id: name,
    title: name,
    repo: name,
    architecture: architectureOf(own),
  });
  return { ...facts, kvBytesPerTokenBf16: facts.kvBytesPerTokenBf16 ?? kvBytesPerToken(facts) };
}
