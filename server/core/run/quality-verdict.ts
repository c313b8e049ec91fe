import type { Plan } from '../plan/plan';
import type { QualityState } from './report';
import type { Quality } from './trial';

export type QualityVerdict = 'lossless' | 'within' | 'over' | 'degenerate' | 'not verified';

/**
 * Where a plan stands against the budget on KL divergence, over the baseline's own noise. Degenerate output counts
 * against it only where the baseline's is sane: a small model may loop by itself.
 */
export function judgeQuality(
  plan: Plan,
  quality: Quality | null,
  baseline: Quality | null,
  budgetKl: number | null,
): QualityVerdict {
  if (quality?.degenerate && !baseline?.degenerate) return 'degenerate';
  if (plan.loss === 'none') return 'lossless';
  if (quality === null || quality.klDivergence === null || budgetKl === null) return 'not verified';
  const overNoise = quality.klDivergence - (quality.noiseFloor ?? 0);
  return overNoise <= budgetKl ? 'within' : 'over';
}

export const QUALITY_WORDS: Record<QualityVerdict, string> = {
  lossless: 'lossless',
  within: 'within the quality budget',
  over: 'over the quality budget',
  degenerate: 'its output is degenerate',
  'not verified': 'quality not verified',
};

const STATES: Record<QualityVerdict, QualityState> = {
  lossless: 'lossless',
  within: 'verified',
  over: 'over-budget',
  degenerate: 'over-budget',
  'not verified': 'not-verified',
};

/** Where a deployment stands, in one word. Lossless plans are not evaluated: there is nothing to verify. */
export function qualityState(
  plan: Plan,
  quality: Quality | null,
  baseline: Quality | null,
  budgetKl: number | null,
): QualityState {
  return plan.isBaseline ? 'baseline' : STATES[judgeQuality(plan, quality, baseline, budgetKl)];
}
