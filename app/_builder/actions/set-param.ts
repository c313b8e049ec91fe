import type { BuilderAction } from './action';

interface SetParamArgs {
  nodeId: string;
  field: string;
  /** Undefined takes the parameter out, so that its default holds again. */
  value: unknown;
}

/** Sets one parameter of one node. Typing in one field is one undo step. */
export const setParam: BuilderAction<SetParamArgs> = {
  id: 'set-param',
  label: 'Change parameter',
  shortcut: null,
  coalesceKey: ({ nodeId, field }) => `${nodeId}.${field}`,
  apply(pipeline, { nodeId, field, value }) {
    const node = pipeline.nodes.find((other) => other.id === nodeId);
    if (!node) return pipeline;
    const present = Object.hasOwn(node.params, field);
    if (value === undefined ? !present : present && Object.is(node.params[field], value)) return pipeline;
    const { [field]: _old, ...others } = node.params;
    const params = value === undefined ? others : { ...node.params, [field]: value };
    return { ...pipeline, nodes: pipeline.nodes.map((other) => (other === node ? { ...node, params } : other)) };
  },
};
