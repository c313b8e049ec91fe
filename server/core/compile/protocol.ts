import { deployment } from '../catalog/sinks/deployment';
import type { ValidatedParams } from '../catalog/validate-params';
import type { Compiled } from './compiled';

/** How the experiment is judged, from a deployment's validated parameters; null takes the defaults of the type. */
export function protocolOf(validated: ValidatedParams | null): Compiled['protocol'] {
  const values = deployment.params.parse(validated?.values ?? {});
  return {
    blocks: Number(values.blocks),
    primaryMetrics: values.primaryMetrics as string[],
    qualityBudgetKl: typeof values.qualityBudgetKl === 'number' ? values.qualityBudgetKl : null,
  };
}
