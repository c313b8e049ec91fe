import type { Importer, Invocation } from './importer';
import { wordsOfKeywords } from './keyword-words';
import { plainInvocation } from './plain-invocation';
import { readHead } from './read-head';
import { isRecord, listOf, readYaml, recordOf, textOf } from './read-yaml';
import { scaledByRay } from './scaling';

const READ_KEYS = [
  'model_loading_config',
  'engine_kwargs',
  'accelerator_type',
  'runtime_env',
  'llm_engine',
  'deployment_config',
];

/** One LLMConfig of Ray Serve; null where it names no model. */
function invocationOf(config: Record<string, unknown>): Invocation | null {
  const loading = recordOf(config.model_loading_config);
  const model = textOf(loading.model_source) ?? textOf(loading.model_id);
  if (model === null) return null;
  const others = Object.keys(config).filter((key) => !READ_KEYS.includes(key));
  const served = textOf(loading.model_id);
  const name = served === null || served === model ? [] : ['--served-model-name', served];
  const { scaling, notKept } = scaledByRay('vllm', recordOf(config.deployment_config));
  return plainInvocation('vllm', [model, ...wordsOfKeywords(recordOf(config.engine_kwargs)), ...name], {
    env: Object.fromEntries(
      Object.entries(recordOf(recordOf(config.runtime_env).env_vars)).map(([key, value]) => [key, textOf(value) ?? '']),
    ),
    device: textOf(config.accelerator_type),
    scaling,
    notKept: [
      ...(others.length === 0 ? [] : [`Of the Ray Serve model ${served ?? model}, ${others.join(', ')} are not kept.`]),
      ...notKept,
    ],
  });
}

/** Every `llm_configs` of a document of Ray Serve. */
export function rayInvocations(document: unknown): Invocation[] {
  const applications = listOf(recordOf(document).applications).filter(isRecord);
  const configs = applications.flatMap(({ args }) => listOf(recordOf(args).llm_configs)).filter(isRecord);
  return configs.flatMap((config) => invocationOf(config) ?? []);
}

/** Ray Serve LLM: the file of `serve run`. */
export const rayServe: Importer = {
  id: 'ray-serve',
  title: 'Ray Serve',
  recognizes: (text) => /^[ \t]*-?[ \t]*llm_configs[ \t]*:/m.test(text) && !/^apiVersion:/m.test(text),
  read(text) {
    const { documents, comments, findings } = readYaml(text);
    const head = readHead(comments);
    const invocations = documents.flatMap(rayInvocations).map((invocation) => ({ ...invocation, head }));
    return { invocations, findings };
  },
};
