import type { RuleContext } from '../rule';
import { type Fields, jsonArgument } from './arguments';

/** Spellings of vLLM's methods that mean one. */
const VLLM_METHODS: Readonly<Record<string, string>> = {
  deepseek_mtp: 'mtp',
  '[ngram]': 'ngram',
  prompt_lookup: 'ngram',
};

const SHORTHAND = { method: 'spec_method', model: 'spec_model', num_speculative_tokens: 'spec_tokens' } as const;

function vllmSpeculation(arg: Fields): Fields {
  const keys = jsonArgument(arg.speculative_config);
  const short = Object.entries(SHORTHAND).filter(([, flag]) => arg[flag] !== undefined);
  if (Object.keys(keys).length === 0 && short.length === 0) return {};
  const merged: Fields = { ...Object.fromEntries(short.map(([key, flag]) => [key, arg[flag] ?? null])), ...keys };
  const method = typeof merged.method === 'string' ? (VLLM_METHODS[merged.method] ?? merged.method) : null;
  return { ...merged, method, on: true, json_keys: Object.keys(keys), shorthand_keys: short.map(([key]) => key) };
}

/** Speculation as the constraints of the engine name it. */
export function speculationOf({ engine }: Pick<RuleContext, 'engine'>, arg: Fields): Fields {
  switch (engine.id) {
    case 'llama.cpp': {
      const asked = arg.spec_type;
      const types = Array.isArray(asked) ? asked.filter((type) => type !== 'none') : [];
      return { types, on: types.length > 0 };
    }
    case 'vllm':
      return vllmSpeculation(arg);
    case 'sglang': {
      const algorithm = typeof arg.speculative_algorithm === 'string' ? arg.speculative_algorithm.toUpperCase() : null;
      return { algorithm, on: algorithm !== null };
    }
    case 'lmdeploy':
      return { on: typeof arg.speculative_algorithm === 'string' };
    default:
      return {};
  }
}
