'use client';

import type { PipelineNode } from '@/server/core/pipeline/document';
import { idleParamsOf, nodeTypeOf, paramsOf } from '../catalog';
import { valueText } from '../node-view';
import { ParamField } from './param-field';

/**
 * The parameters of a node but for those that mean nothing beside the others; those of an unknown type, or that the type does
 * not know, can be read but not changed.
 */
export function NodeParams({ node }: { node: PipelineNode }) {
  const idle = idleParamsOf(node);
  const params = paramsOf(node.type);
  const known = new Set(params.map((param) => param.name));
  const foreign = Object.entries(node.params).filter(([name]) => !known.has(name));
  return (
    <>
      {params
        .filter((param) => !idle.has(param.name))
        .map((param) => (
          <ParamField key={param.name} node={node} param={param} />
        ))}
      {foreign.length > 0 ? (
        <section aria-label="Kept as they are" className="grid gap-1 text-xs">
          <p className="text-dim">
            {nodeTypeOf(node.type)
              ? 'This version does not know these parameters. They are kept and written back.'
              : 'This version does not know this node type. It takes no part; it is kept and written back.'}
          </p>
          <dl className="mono grid gap-0.5">
            {foreign.map(([name, value]) => (
              <div key={name} className="flex justify-between gap-3">
                <dt className="text-dim">{name}</dt>
                <dd className="break-all">{valueText(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </>
  );
}
