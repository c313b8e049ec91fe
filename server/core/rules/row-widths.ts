import { type ModelFacts, partOf } from '../facts/model-facts';

/** Row widths of the matrices of a layer, elements; null where a fact is missing. */
export function rowWidths(facts: ModelFacts | null): number[] | null {
  if (facts === null || facts.headDim === null) return null;
  const expert = partOf(facts.experts)?.ffn ?? null;
  const mlp = [facts.ffn, expert].filter((width) => width !== null);
  return mlp.length === 0 ? null : [...new Set([facts.hidden, ...mlp, facts.heads * facts.headDim])];
}
