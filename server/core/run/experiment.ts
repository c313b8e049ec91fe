import { z } from 'zod';
import { planSchema } from '../plan/plan';
import { workloadSchema } from '../workload/workload';

/**
 * A frozen experiment: what a run needs and nothing else re-reads the graph. Arm 0 is the baseline.
 * `blocks` is the number planned; looks happen at 3, 6 and 12 blocks.
 */
export const experimentSpecSchema = z.object({
  pipelineHash: z.string(),
  seed: z.number().int(),
  arms: z.array(planSchema).min(1),
  workloads: z.array(workloadSchema).min(1),
  blocks: z.number().int().positive(),
  primaryMetrics: z.array(z.string()).min(1).max(4),
  /** Half-width in percent within which a difference counts as none. */
  equivalencePercent: z.number().positive().default(3),
  /** KL budget for lossy plans; null: none set. */
  qualityBudgetKl: z.number().positive().nullable(),
  /** The bundled demo model was used: results show the method, not a gain. */
  demo: z.boolean(),
});
export type ExperimentSpec = z.infer<typeof experimentSpecSchema>;
