import { versionOfImage } from './container';
import type { Head, Importer, Invocation } from './importer';
import { wordsOfKeywords } from './keyword-words';
import { plainInvocation } from './plain-invocation';
import { isDeviceKey } from './pod-parts';
import { readHead } from './read-head';
import { isRecord, listOf, readYaml, recordOf, textOf } from './read-yaml';
import { fixedReplicas, type Scaling, scaledByKeda } from './scaling';

/** Keys of `vllmConfig` whose flag is spelled otherwise; the others are the flag in camel case. */
const FLAGS: Readonly<Record<string, string>> = {
  maxNumSeqs: '--max-num-seqs',
  maxLoras: '--max-loras',
};
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function configWords(config: Record<string, unknown>): string[] {
  const { extraArgs, ...others } = config;
  const named = Object.entries(others).flatMap(([name, value]) => {
    const flag = FLAGS[name] ?? (name.startsWith('enable') ? `--${kebab(name)}` : `--${kebab(name)}`);
    return wordsOfKeywords({ [flag.slice(2)]: value });
  });
  return [...named, ...listOf(extraArgs).flatMap((item) => textOf(item) ?? [])];
}

/** A key of the server: by reference, or as text, which is replaced on the way. */
function keyOf(spec: Record<string, unknown>): Record<string, string> {
  const key = spec.vllmApiKey;
  const named = textOf(recordOf(key).secretKey);
  const value = textOf(key) ?? (named === null ? null : `$${named}`);
  return value === null ? {} : { VLLM_API_KEY: value };
}

function devicesOf(model: Record<string, unknown>): Invocation['devices'] {
  const limits = Object.entries(recordOf(recordOf(model.resources).limits));
  const text = textOf(model.requestGPU) ?? textOf(limits.find(([key]) => isDeviceKey(key))?.[1]);
  const count = Number(text ?? Number.NaN);
  return Number.isInteger(count) && count > 0 ? count : null;
}

/** Device named by a node selector's terms. */
function deviceOf(model: Record<string, unknown>): string | null {
  const rules = listOf(model.nodeSelectorTerms).flatMap((term) => listOf(recordOf(term).matchExpressions));
  const rule = rules.map(recordOf).find(({ key }) => /gpu|accelerator/.test(textOf(key) ?? ''));
  return textOf(listOf(rule?.values)[0]);
}

const READ_KEYS = [
  'name',
  'repository',
  'tag',
  'modelURL',
  'modelRevision',
  'vllmConfig',
  'env',
  'resources',
  'requestGPU',
  'hf_token',
  'nodeSelectorTerms',
  'replicaCount',
];

/** The chart's objects beside it may scale the model's Deployment. */
function scalingOf(model: Record<string, unknown>, values: Record<string, unknown>): Scaling {
  const name = `-${textOf(model.name) ?? ''}-deployment-vllm`;
  const object = listOf(values.extraObjects)
    .filter(isRecord)
    .filter(({ kind }) => kind === 'ScaledObject')
    .map(({ spec }) => recordOf(spec))
    .find((spec) => textOf(recordOf(spec.scaleTargetRef).name)?.endsWith(name));
  return object === undefined ? fixedReplicas(model.replicaCount) : scaledByKeda('vllm', object);
}

/** The chart switches prefix caching off where nothing is said, so our own files say what the engine does anyway. */
function ownConfig(model: Record<string, unknown>, head: Head | null): Record<string, unknown> {
  const { enablePrefixCaching, ...others } = recordOf(model.vllmConfig);
  const isFiller = head !== null && !head.named.has('prefixCaching') && textOf(enablePrefixCaching) === 'true';
  return isFiller || enablePrefixCaching === undefined ? others : { enablePrefixCaching, ...others };
}

function invocationOf(
  model: Record<string, unknown>,
  values: Record<string, unknown>,
  head: Head | null,
): Invocation | null {
  const spec = recordOf(values.servingEngineSpec);
  const url = textOf(model.modelURL);
  if (url === null) return null;
  const [repository, tag] = [textOf(model.repository), textOf(model.tag)];
  const image = repository === null ? null : `${repository}${tag === null ? '' : `:${tag}`}`;
  const revision = textOf(model.modelRevision);
  const { scaling, notKept } = scalingOf(model, values);
  const env = listOf(model.env)
    .map(recordOf)
    .map(({ name, value }) => [textOf(name) ?? '', textOf(value) ?? `$${textOf(name)}`]);
  const others = Object.keys(model).filter((key) => !READ_KEYS.includes(key));
  const words = [url, ...(revision === null ? [] : ['--revision', revision]), ...configWords(ownConfig(model, head))];
  return plainInvocation('vllm', words, {
    image,
    version: image === null ? null : versionOfImage(image),
    env: { ...keyOf(spec), ...Object.fromEntries(env) },
    devices: devicesOf(model),
    device: deviceOf(model),
    scaling,
    head,
    notKept: [
      ...(others.length === 0 ? [] : [`Of the model ${textOf(model.name) ?? url}, ${others.join(', ')} are not kept.`]),
      ...notKept,
    ],
  });
}

/** Values of the vLLM production-stack chart. */
export const productionStack: Importer = {
  id: 'vllm-production-stack',
  title: 'vLLM production-stack values',
  recognizes: (text) => /^servingEngineSpec[ \t]*:/m.test(text),
  read(text) {
    const { documents, comments, findings } = readYaml(text);
    const head = readHead(comments);
    const invocations = documents.flatMap((document) => {
      const values = recordOf(document);
      return listOf(recordOf(values.servingEngineSpec).modelSpec)
        .filter(isRecord)
        .flatMap((model) => invocationOf(model, values, head) ?? []);
    });
    return { invocations, findings };
  },
};
