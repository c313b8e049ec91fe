import { stringify } from 'yaml';
import { finding } from '../plan/finding';
import type { Importer, Invocation } from './importer';
import { wordsOfKeywords } from './keyword-words';
import { plainInvocation } from './plain-invocation';
import { type PythonCall, PythonScript, type PythonValue, plainKeywords } from './python-calls';
import { isRecord, textOf } from './read-yaml';

/** What one call starts. */
type Reader = (call: PythonCall, text: string) => Invocation | null;

const textValue = (value: PythonValue | undefined): string | null =>
  value?.kind === 'value' && typeof value.value === 'string' ? value.value : null;

const notKept = (call: string, others: readonly string[]): string[] =>
  others.length === 0 ? [] : [`Of the call ${call}, ${others.join(', ')} are not kept.`];

const omit = (values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** Keywords of `from_pretrained` that `transformers serve` has an argument for. */
const SERVED = ['attn_implementation', 'dtype', 'torch_dtype'];
/** Keywords that say how the file is found, or what the class does anyway. */
const LOCATED = ['revision', 'quantization_config', 'load_in_4bit', 'load_in_8bit'];

function quantizationOf(values: Record<string, unknown>): string[] {
  const config = isRecord(values.quantization_config) ? values.quantization_config : values;
  if (config.load_in_4bit === true) return ['--quantization', 'bnb-4bit'];
  return config.load_in_8bit === true ? ['--quantization', 'bnb-8bit'] : [];
}

/** Settings of a quantization that serve chooses itself. */
const quantizationLeft = (values: Record<string, unknown>): string[] =>
  isRecord(values.quantization_config)
    ? Object.keys(omit(values.quantization_config, ['load_in_4bit', 'load_in_8bit'])).map(
        (key) => `quantization_config.${key}`,
      )
    : [];

function fromPretrained(call: PythonCall, text: string): Invocation | null {
  if (!/(?:ForCausalLM|ForConditionalGeneration|AutoModel)\w*\.from_pretrained$/.test(call.name)) return null;
  const model = textValue(call.positional[0]) ?? textValue(call.keywords.get('pretrained_model_name_or_path'));
  if (model === null) return null;
  const { values, others } = plainKeywords(call.keywords);
  const dtype = textOf(values.dtype ?? values.torch_dtype);
  const attention = textOf(values.attn_implementation);
  const left = Object.keys(omit(values, [...SERVED, ...LOCATED, 'pretrained_model_name_or_path']));
  const revision = textOf(values.revision);
  const words = [
    revision === null ? model : `${model}@${revision}`,
    ...quantizationOf(values),
    ...(attention === null ? [] : ['--attn-implementation', attention]),
    ...(dtype === null ? [] : ['--dtype', dtype]),
    ...(/\btorch\.compile\(/.test(text) ? ['--compile'] : []),
  ];
  const kept = left.map((name) => `${name}=${JSON.stringify(values[name])}`);
  return plainInvocation('transformers', words, {
    notKept: notKept(call.name, [...kept, ...quantizationLeft(values), ...others]),
  });
}

/** `LLM(…)` of vLLM: its keywords are the flags of `vllm serve`. */
function vllmEngine(call: PythonCall, text: string): Invocation | null {
  if (!/(?:^|\.)(?:LLM|AsyncEngineArgs|EngineArgs)$/.test(call.name) || /\btensorrt_llm\b/.test(text)) return null;
  const { values, others } = plainKeywords(call.keywords);
  const model = textValue(call.positional[0]) ?? textOf(values.model);
  return model === null
    ? null
    : plainInvocation('vllm', [model, ...wordsOfKeywords(omit(values, ['model']))], {
        notKept: notKept(call.name, others),
      });
}

const CONFIG = 'llm-args.yaml';

/** `LLM(…)` of TensorRT-LLM: its keywords are the entries of the configuration file. */
function tensorrtEngine(call: PythonCall, text: string): Invocation | null {
  if (!/(?:^|\.)LLM$/.test(call.name) || !/\btensorrt_llm\b/.test(text)) return null;
  const { values, others } = plainKeywords(call.keywords);
  const model = textValue(call.positional[0]) ?? textOf(values.model);
  if (model === null) return null;
  const config = omit(values, ['model']);
  const isPlain = Object.keys(config).length === 0;
  return plainInvocation('tensorrt-llm', [model, ...(isPlain ? [] : ['--config', CONFIG])], {
    files: new Map([[CONFIG, stringify(config)]]),
    notKept: notKept(call.name, others),
  });
}

function sglangEngine(call: PythonCall): Invocation | null {
  if (!/^(?:sgl|sglang)\.(?:Engine|Runtime)$/.test(call.name)) return null;
  const { values, others } = plainKeywords(call.keywords);
  return textOf(values.model_path) === null
    ? null
    : plainInvocation('sglang', wordsOfKeywords(values, false), { notKept: notKept(call.name, others) });
}

/** `pipeline(model, backend_config=TurbomindEngineConfig(…))` of LMDeploy. */
function lmdeployPipeline(call: PythonCall, text: string): Invocation | null {
  if (!/(?:^|\.)pipeline$/.test(call.name) || !/\blmdeploy\b/.test(text)) return null;
  const model = textValue(call.positional[0]);
  const config = call.keywords.get('backend_config');
  if (model === null) return null;
  const { values, others } = plainKeywords(config?.kind === 'call' ? config.keywords : new Map());
  const backend = config?.kind === 'call' && config.name.startsWith('Pytorch') ? ['--backend', 'pytorch'] : [];
  return plainInvocation('lmdeploy', [model, ...backend, ...wordsOfKeywords(values, false)], {
    notKept: notKept(call.name, others),
  });
}

const READERS: readonly Reader[] = [fromPretrained, vllmEngine, tensorrtEngine, sglangEngine, lmdeployPipeline];

const CALL =
  /\.from_pretrained\(|\b(?:LLM|AsyncEngineArgs|EngineArgs)\(|\bsgl(?:ang)?\.(?:Engine|Runtime)\(|\bpipeline\(/;
const WANTED =
  /(?:^|\.)(?:from_pretrained|LLM|AsyncEngineArgs|EngineArgs|Engine|Runtime|pipeline|generate|SamplingParams)$/;
/** Calls that say what a request holds; the graph has a node for it. */
const REQUEST = /(?:^|\.)(?:generate|SamplingParams)$/;
const withoutFences = (text: string): string => text.replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '');

/** Python that loads a model: Transformers' `from_pretrained`, the `LLM` of vLLM and TensorRT-LLM, SGLang, LMDeploy. */
export const pythonSnippet: Importer = {
  id: 'python',
  title: 'Python snippet',
  recognizes: (text) => CALL.test(text) && /\b(?:import|from_pretrained|LLM|Engine)\b/.test(text),
  read(text) {
    const script = new PythonScript(withoutFences(text), WANTED);
    const invocations = script.calls.flatMap((call) => {
      for (const reader of READERS) {
        const found = reader(call, text);
        if (found !== null) return [found];
      }
      return [];
    });
    const requests = script.calls
      .filter(({ name }) => REQUEST.test(name))
      .map(({ name }) =>
        finding('info', 'request-not-imported', `What ${name} asks for is not imported: add a sampling node.`),
      );
    const faults =
      script.faults === 0
        ? []
        : [finding('warning', 'python-unfinished', 'Parts of the text are no Python and were not read.')];
    return { invocations, findings: [...faults, ...requests] };
  },
};
