import type { Reading } from '../reading';
import type { Dialect, NamedModel } from './dialect';
import { joinParts, jsonOf, meanDtype, meanReadable, product } from './meaning';

const SPECULATION = '--speculative-config';
const OTHER_DRAFTERS = /eagle|medusa|mlp|mtp|dflash|suffix/i;
/** vLLM @017e9f4448, vllm/config/speculative.py:826 */
const LOOKUP = 5;

/** Writes out what vLLM fills in: the method of a draft, the missing end of a lookup window. */
function readSpeculation(reading: Reading): void {
  joinParts(reading, SPECULATION);
  const config = jsonOf(reading.peek(SPECULATION));
  if (config === null) return;
  const { method, model, prompt_lookup_max: most, prompt_lookup_min: least } = config;
  if (method === undefined && typeof model === 'string' && !OTHER_DRAFTERS.test(model)) config.method = 'draft_model';
  if (method === 'ngram') {
    config.prompt_lookup_max = most ?? least ?? LOOKUP;
    config.prompt_lookup_min = least ?? most ?? LOOKUP;
  }
  reading.mean(SPECULATION, JSON.stringify(config));
}

function draft(reading: Reading): NamedModel | null {
  const config = jsonOf(reading.peek(SPECULATION));
  if (typeof config?.model !== 'string' || config.method === 'ngram') return null;
  return { name: config.model, revision: typeof config.revision === 'string' ? config.revision : null };
}

const isCpu = (env: Readonly<Record<string, string>>, image: string): boolean =>
  /cpu/.test(image) || Object.keys(env).some((variable) => variable.startsWith('VLLM_CPU_'));

export const vllm: Dialect = {
  engine: 'vllm',
  mentions: /\bvllm\b|vllm\.entrypoints/i,
  starts: [
    { words: ['vllm', 'serve'] },
    { words: ['-m', /^vllm\.entrypoints\.(?:openai\.)?api_server$/] },
    { words: ['-m', 'vllm.entrypoints.cli.main', 'serve'] },
    { words: ['-m', 'dynamo.vllm'] },
  ],
  image: /vllm/,
  imageWords: ['vllm', 'serve'],
  runtime: null,
  isEntryPoint: true,
  model: { flags: ['model'], revision: '--revision', positional: true, files: 'repository' },
  configFlags: [],
  launcher: ['--host', '--port'],
  added: [],
  keyFlags: ['--api-key'],
  keyVariables: ['VLLM_API_KEY'],
  ranks: (reading) => product(reading, '--tensor-parallel-size', '--pipeline-parallel-size', '--data-parallel-size'),
  device: (_, { env, image }) => (isCpu(env, image?.toLowerCase() ?? '') ? 'cpu-local' : 'H100-SXM'),
  read(reading) {
    meanDtype(reading, '--dtype');
    meanReadable(reading, '--max-model-len', 'context');
    for (const flag of ['--max-num-batched-tokens', '--max-num-seqs']) meanReadable(reading, flag, null);
    for (const flag of ['--compilation-config', '--kv-transfer-config', '--attention-config']) joinParts(reading, flag);
    readSpeculation(reading);
  },
  draft,
};
