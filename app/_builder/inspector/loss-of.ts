import type { LossClass } from '@/server/core/catalog/node-type';
import type { PipelineNode } from '@/server/core/pipeline/document';
import { nodeTypeOf } from '../catalog';

/** Loss at the node's own parameters; null where they are swept, faulty, or the type says the same for all. */
export function lossOf(node: PipelineNode): LossClass | null {
  const type = nodeTypeOf(node.type);
  if (!type?.loss) return null;
  const params = type.params.safeParse(node.params);
  return params.success ? type.loss(params.data) : null;
}
