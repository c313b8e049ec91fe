import type { SettingValues } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, arg, args, inTarget, requestField, unsupported } from '../lower';
import { isAtLeast } from '../version';

const ARG_UTILS = 'vLLM @017e9f4448, vllm/engine/arg_utils.py';
const LORA = 'vLLM @017e9f4448, vllm/config/lora.py';
const SAMPLING = 'vLLM @017e9f4448, vllm/sampling_params.py';
const PROFILING = 'vLLM docs/contributing/profiling.md (flag from 0.13 on; missing in the facts)';

/** Ranks that the kernels are built for. */
const LORA_RANKS = [1, 8, 16, 32, 64, 128, 256, 320, 512];

/** Names and sources follow one flag, each a word of its own: given twice, the flag forgets the first. */
function lowerAdapters(adapters: SettingValues['loraAdapters']): Lowered {
  const words = adapters.map(({ name, source }) => `${name}=${source}`);
  const [first = '', ...more] = words;
  return args(
    { flag: '--enable-lora', value: null },
    { flag: '--lora-modules', value: first },
    ...more.map((word) => ({ flag: word, value: null })),
  );
}

function lowerLoraRank(rank: number, ctx: LoweringContext): Lowered {
  if (ctx.value('loraAdapters') === null) return unsupported('a rank means nothing without adapters', LORA);
  const served = LORA_RANKS.find((known) => known >= rank);
  if (served === undefined) return unsupported(`vLLM has kernels for ranks up to 512, not ${rank}`, LORA);
  return arg('--max-lora-rank', served, served === rank ? undefined : `the next of ${LORA_RANKS.join(', ')}`);
}

function lowerProfiler(folder: string, ctx: LoweringContext): Lowered {
  if (!folder.startsWith('/')) return unsupported(`the folder must be an absolute path, not ${folder}`, PROFILING);
  if (!isAtLeast(ctx.version, '0.13')) return { kind: 'env', env: { VLLM_TORCH_PROFILER_DIR: folder } };
  return arg('--profiler-config', JSON.stringify({ profiler: 'torch', torch_profiler_dir: folder }));
}

export const vllmServing = {
  apiKeySecret: inTarget('apiKeySecret', ARG_UTILS, (secret) => ({ kind: 'env', env: { VLLM_API_KEY: `$${secret}` } })),
  structuredOutputBackend: inTarget('structuredOutputBackend', ARG_UTILS, (backend) =>
    arg('--structured-outputs-config', JSON.stringify({ backend })),
  ),
  metricsEndpoint: inTarget('metricsEndpoint', ARG_UTILS, (state) =>
    state === 'on' ? already : arg('--disable-log-stats', null, 'the endpoint stays, without figures of the engine'),
  ),
  torchProfilerFolder: inTarget('torchProfilerFolder', PROFILING, lowerProfiler),
  loraAdapters: inTarget('loraAdapters', LORA, lowerAdapters),
  loraMaxRank: inTarget('loraMaxRank', LORA, lowerLoraRank),
  loraMaxActive: inTarget('loraMaxActive', LORA, (adapters, ctx) =>
    ctx.value('loraAdapters') === null
      ? unsupported('a number of adapters in a batch means nothing without adapters', LORA)
      : arg('--max-loras', adapters),
  ),
  temperature: inTarget('temperature', SAMPLING, (value) => requestField('temperature', value)),
  topP: inTarget('topP', SAMPLING, (value) => requestField('top_p', value)),
  topK: inTarget('topK', SAMPLING, (value) => requestField('top_k', value)),
  minP: inTarget('minP', SAMPLING, (value) => requestField('min_p', value)),
  beams: inTarget('beams', SAMPLING, (beams) =>
    beams === 1 ? already : { kind: 'request', fields: { use_beam_search: true, n: beams } },
  ),
} satisfies Partial<LoweringTable>;
