import { NODE_TYPES } from '@/server/core/catalog/index';
import type { NodeType } from '@/server/core/catalog/node-type';
import { describeParams, type ParamDescription } from '@/server/core/catalog/param';
import { REFUSED_TECHNIQUES, type RefusedTechnique, refusalSentence } from '@/server/core/catalog/refused-techniques';
import { findNodeTypes, findRefused } from '@/server/core/catalog/search-catalog';
import { printJson, type Verb } from './verb';

const entryOf = (nodeType: NodeType) => ({
  type: nodeType.type,
  family: nodeType.family,
  title: nodeType.title,
  summary: nodeType.summary,
  group: nodeType.group ?? null,
  aliases: nodeType.aliases ?? [],
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

const describeType = (nodeType: NodeType): string =>
  [`${nodeType.type} (${nodeType.family}): ${nodeType.summary}`, ...describeParams(nodeType).map(describeParam)].join(
    '\n',
  );

const describeRefused = (refused: RefusedTechnique): string =>
  [refusalSentence(refused), `  instead: ${refused.instead.join(', ')}`, `  ${refused.sources.join(' ')}`].join('\n');

interface Options {
  json?: boolean;
  refused?: boolean;
}

export const catalog: Verb = {
  name: 'catalog',
  summary: 'lists every node type with its ports, parameters and settings',
  describe(command) {
    command
      .argument('[query]', 'only types that go by that name, and techniques without a node with the reason')
      .option('--refused', 'the techniques that are no node, with reason and sources, in place of the types')
      .option('--json', 'print one JSON document')
      .action((query: string | undefined, options: Options) => {
        const refused = query === undefined ? REFUSED_TECHNIQUES : findRefused(query);
        const types = query === undefined ? NODE_TYPES : findNodeTypes(query);
        if (options.json) {
          printJson(options.refused ? refused : types.map(entryOf));
          return;
        }
        const blocks = [...(options.refused ? [] : types.map(describeType)), ...refused.map(describeRefused)];
        process.stdout.write(`${blocks.length === 0 ? `Nothing goes by "${query}".` : blocks.join('\n')}\n`);
      });
  },
};
