import { shellWords } from '../engines/shell-words';
import { versionOfImage } from './container';
import { DIALECTS } from './dialects/index';
import type { Invocation } from './importer';
import { plainInvocation } from './plain-invocation';
import { deviceOf, devicesOf, environmentOf, textsOf } from './pod-parts';
import { isRecord, listOf, recordOf, textOf } from './read-yaml';

/** Repository or path of a storage address. */
const modelOf = (uri: string): string => uri.replace(/^hf:\/\//, '');

/** `hf://owner/name:revision` */
const HUB_MODEL = /^hf:\/\/([^:@]+)[:@](.+)$/;

const notKeptOf = (what: string, value: Record<string, unknown>, read: readonly string[]): string[] => {
  const others = Object.keys(value).filter((key) => !read.includes(key));
  return others.length === 0 ? [] : [`Of the ${what}, ${others.join(', ')} are not kept.`];
};

const PREDICTOR = ['model', 'nodeSelector', 'affinity', 'containers', 'minReplicas', 'maxReplicas', 'autoScaling'];
const MODEL = ['modelFormat', 'runtime', 'storageUri', 'args', 'env', 'resources', 'image'];

/** The engine that a serving runtime's name stands for; Hugging Face's runtime serves by vLLM. */
function engineOf(model: Record<string, unknown>): string {
  const names = `${textOf(model.runtime) ?? ''} ${textOf(recordOf(model.modelFormat).name) ?? ''}`.toLowerCase();
  return DIALECTS.find(({ engine }) => names.includes(engine.replaceAll('.', '')))?.engine ?? 'vllm';
}

/** KServe InferenceService with `predictor.model`; one with containers is read as any pod. */
export function inferenceService(document: Record<string, unknown>): Invocation[] {
  const predictor = recordOf(recordOf(document.spec).predictor);
  const { model } = predictor;
  if (!isRecord(model)) return [];
  const uri = textOf(model.storageUri);
  const words = textsOf(model.args).flatMap((word) => {
    const [flag, id] = word.split(/=(.*)/s);
    // The Hugging Face runtime has its own names for the model and the served name.
    if (flag === '--model_id') return id === undefined ? ['--model'] : ['--model', id];
    return flag === '--model_name' ? [word.replace('--model_name', '--served-model-name')] : [word];
  });
  const image = textOf(model.image);
  return [
    plainInvocation(engineOf(model), [...(uri === null ? [] : ['--model', modelOf(uri)]), ...words], {
      env: environmentOf(model),
      image,
      version: image === null ? null : versionOfImage(image),
      devices: devicesOf(model),
      device: deviceOf(predictor),
      notKept: [...notKeptOf('predictor', predictor, PREDICTOR), ...notKeptOf("predictor's model", model, MODEL)],
    }),
  ];
}

const RANKS: Readonly<Record<string, string>> = {
  tensor: '--tensor-parallel-size',
  pipeline: '--pipeline-parallel-size',
  data: '--data-parallel-size',
};

function parallelWords(parallelism: Record<string, unknown>): string[] {
  const ranks = Object.entries(RANKS).flatMap(([key, flag]) => {
    const count = textOf(parallelism[key]);
    return count === null ? [] : [flag, count];
  });
  return textOf(parallelism.expert) === 'true' ? [...ranks, '--enable-expert-parallel'] : ranks;
}

const SPEC = ['model', 'parallelism', 'template', 'replicas', 'scaling'];

/** KServe LLMInferenceService: vLLM, its arguments in the container `main` or in VLLM_ADDITIONAL_ARGS. */
export function llmInferenceService(document: Record<string, unknown>): Invocation[] {
  const spec = recordOf(document.spec);
  const model = recordOf(spec.model);
  const uri = textOf(model.uri);
  if (uri === null) return [];
  const [, name = modelOf(uri), revision] = HUB_MODEL.exec(uri) ?? [];
  const template = recordOf(spec.template);
  const containers = listOf(template.containers).filter(isRecord);
  const main = containers.find(({ name }) => name === 'main') ?? containers[0] ?? {};
  const { VLLM_ADDITIONAL_ARGS: more = '', ...env } = environmentOf(main);
  const served = textOf(model.name);
  const image = textOf(main.image);
  const words = [
    name,
    ...(revision === undefined ? [] : ['--revision', revision]),
    ...(served === null || served === name ? [] : ['--served-model-name', served]),
    ...parallelWords(recordOf(spec.parallelism)),
    // KServe's shell reads the arguments once more.
    ...textsOf(main.args).flatMap((word) => shellWords(word)),
    ...shellWords(more),
  ];
  return [
    plainInvocation('vllm', words, {
      env,
      image,
      version: image === null || /llm-d|kserve/.test(image) ? null : versionOfImage(image),
      devices: devicesOf(main),
      device: deviceOf(template),
      notKept: notKeptOf('LLMInferenceService', spec, SPEC),
    }),
  ];
}
