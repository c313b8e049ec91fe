import type { BuilderAction } from './action';

/** Bypasses the nodes, or brings all of them back where every one is bypassed already. */
export const toggleBypass: BuilderAction<{ nodeIds: readonly string[] }> = {
  id: 'toggle-bypass',
  label: 'Bypass',
  shortcut: 'Ctrl B',
  coalesceKey: null,
  apply(pipeline, { nodeIds }) {
    const chosen = new Set(nodeIds);
    const touched = pipeline.nodes.filter((node) => chosen.has(node.id));
    if (touched.length === 0) return pipeline;
    const bypassed = !touched.every((node) => node.bypassed === true);
    const nodes = pipeline.nodes.map((node) => {
      if (!chosen.has(node.id)) return node;
      const { bypassed: _old, ...rest } = node;
      return bypassed ? { ...rest, bypassed } : rest;
    });
    return { ...pipeline, nodes };
  },
};
