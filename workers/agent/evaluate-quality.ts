import type { Plan } from '@/server/core/plan/plan';
import type { Quality } from '@/server/core/run/trial';
import type { RunningEngine } from '../drivers/driver';
import type { BlockTools, EvaluatedServer } from './block-tools';
import type { Reference } from './reference-cache';

const server = (engine: RunningEngine): EvaluatedServer => ({
  url: engine.url,
  model: engine.model,
  apiKey: engine.apiKey,
});

/** Quality is measured once an arm, in the first block: for the baseline, and for plans that may lose some. */
export function needsQuality(plan: Plan, blockIndex: number): boolean {
  return blockIndex === 0 && (plan.isBaseline || plan.loss !== 'none');
}

/** The baseline's answers, and its distance from itself on a second pass: the noise floor. Cached. */
export async function referenceOf(
  baseline: Plan,
  engine: RunningEngine,
  tools: BlockTools,
  signal: AbortSignal,
): Promise<Reference | null> {
  const { quality, references } = tools;
  if (quality === null) return null;
  const known = references.get(baseline.launchHash, quality.textHash);
  if (known !== null) return known;
  const answers = await quality.makeReference(server(engine), signal);
  const again = await quality.evaluate(server(engine), answers, signal);
  const reference: Reference = { answers, noiseFloor: again.klDivergence };
  references.set(baseline.launchHash, quality.textHash, reference);
  return reference;
}

/** What only the detector can say, where no quality pass ran. */
export function unmeasuredQuality(degenerate: string | null): Quality {
  return { perplexity: null, klDivergence: null, top1Agreement: null, noiseFloor: null, tokens: 0, degenerate };
}

/** One arm against the baseline's reference. */
export async function evaluateQuality(
  engine: RunningEngine,
  reference: Reference,
  tools: BlockTools,
  degenerate: string | null,
  signal: AbortSignal,
): Promise<Quality> {
  if (tools.quality === null) return unmeasuredQuality(degenerate);
  const measured = await tools.quality.evaluate(server(engine), reference.answers, signal);
  return { ...measured, noiseFloor: reference.noiseFloor, degenerate };
}
