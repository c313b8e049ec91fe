import type { Pipeline, PipelineNode } from '@/server/core/pipeline/document';
import { canonicalText } from '@/server/core/plan/canonical';

const meaning = ({ type, params, bypassed }: PipelineNode): string =>
  canonicalText({ type, params, bypassed: bypassed === true });

/** Ids of nodes that mean the same in both documents: what was measured then still speaks for them. */
export function sameNodes(before: Pipeline, after: Pipeline): Set<string> {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  return new Set(
    after.nodes.flatMap((node) => {
      const previous = old.get(node.id);
      return previous && (previous === node || meaning(previous) === meaning(node)) ? [node.id] : [];
    }),
  );
}
