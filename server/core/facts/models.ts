import { z } from 'zod';
import { type ModelFacts, modelFactsSchema } from './model-facts';
import table from './models.json';

/** Names that people use for an id of the table. Lower case. */
const ALIASES: Readonly<Record<string, string>> = {
  demo: 'inferloom-demo',
  'demo-draft': 'inferloom-demo-draft',
  'llama3-8b': 'Llama-3-8B',
  'llama3.1-8b': 'Llama-3.1-8B',
  'llama-3.1-8b-instruct': 'Llama-3.1-8B',
  'meta-llama/llama-3.1-8b-instruct': 'Llama-3.1-8B',
  'meta-llama/meta-llama-3.1-8b-instruct': 'Llama-3.1-8B',
  'llama-3.1-70b-instruct': 'Llama-3.1-70B',
  'meta-llama/llama-3.1-70b-instruct': 'Llama-3.1-70B',
  'meta-llama/llama-3.3-70b-instruct': 'Llama-3.3-70B',
  'mistralai/mistral-7b-instruct-v0.3': 'Mistral-7B',
  'qwen/qwen2.5-7b-instruct': 'Qwen2.5-7B',
  'qwen/qwen2.5-0.5b-instruct': 'Qwen2.5-0.5B',
  'huggingfacetb/smollm2-135m-instruct': 'SmolLM2-135M',
  'tinyllama/tinyllama-1.1b-chat-v1.0': 'TinyLlama-1.1B',
};

export const MODELS: readonly ModelFacts[] = z.array(modelFactsSchema).parse(table.models);

const BY_NAME: ReadonlyMap<string, ModelFacts> = new Map(
  MODELS.flatMap((facts) => [facts.id, facts.repo].map((name): [string, ModelFacts] => [name.toLowerCase(), facts])),
);

/** The model of that id, repository or alias, in any case; null where the table has none. */
export function findModel(name: string): ModelFacts | null {
  const key = name.trim().toLowerCase();
  const alias = Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
  return BY_NAME.get(alias?.toLowerCase() ?? key) ?? null;
}
