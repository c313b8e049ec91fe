import { NODE_TYPES } from '@/server/core/catalog/index';
import type { NodeType } from '@/server/core/catalog/node-type';
import { describeParams, type ParamDescription } from '@/server/core/catalog/param';
import { printJson, type Verb } from './verb';

const entryOf = (nodeType: NodeType) => ({
  type: nodeType.type,
  family: nodeType.family,
  title: nodeType.title,
  summary: nodeType.summary,
  stage: nodeType.stage,
  ports: { inputs: nodeType.inputs, outputs: nodeType.outputs },
  params: describeParams(nodeType),
  settings: nodeType.settings,
  technique: nodeType.technique,
});

function describeParam(p: ParamDescription): string {
  const range = p.options?.join('|') ?? (p.min !== null || p.max !== null ? `${p.min ?? ''}..${p.max ?? ''}` : p.type);
  const unit = p.unit === null ? '' : ` ${p.unit}`;
  return `  ${p.name} (${range}${unit}, ${p.kind}), default ${JSON.stringify(p.default)}`;
}

export const catalog: Verb = {
  name: 'catalog',
  summary: 'lists every node type with its ports, parameters and settings',
  describe(command) {
    command.option('--json', 'print one JSON document').action((options: { json?: boolean }) => {
      if (options.json) {
        printJson(NODE_TYPES.map(entryOf));
        return;
      }
      const blocks = NODE_TYPES.map((nodeType) => {
        const params = describeParams(nodeType).map(describeParam);
        return [`${nodeType.type} (${nodeType.family}): ${nodeType.summary}`, ...params].join('\n');
      });
      process.stdout.write(`${blocks.join('\n')}\n`);
    });
  },
};
