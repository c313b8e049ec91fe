import { anything, list, literal, mapOf, number, positive, type Schema, strict, text, whole } from './json-schema';

/** How many values a flag takes: `+` one or more. */
type Flags = Readonly<Record<string, { values: 0 | 1 | '+'; pattern?: RegExp; choices?: readonly string[] }>>;

const count = /^\d+$/;
const decimal = /^(\d+(\.\d+)?|inf)$/;

/** vLLM 0.28.0: add_cli_args of vllm/benchmarks/serve.py and the parsers of vllm/benchmarks/datasets/datasets.py. */
export const VLLM_BENCH_FLAGS: Flags = {
  '--base-url': { values: 1 },
  '--backend': { values: 1, choices: ['vllm', 'openai', 'openai-chat'] },
  '--endpoint': { values: 1, pattern: /^\/v1\/(chat\/)?completions$/ },
  '--model': { values: 1 },
  '--tokenizer': { values: 1 },
  '--dataset-name': { values: 1, choices: ['random'] },
  '--random-input-len': { values: 1, pattern: count },
  '--random-output-len': { values: 1, pattern: count },
  '--random-prefix-len': { values: 1, pattern: count },
  '--random-range-ratio': { values: 1, pattern: decimal },
  '--num-prompts': { values: 1, pattern: count },
  '--num-warmups': { values: 1, pattern: count },
  '--request-rate': { values: 1, pattern: decimal },
  '--burstiness': { values: 1, pattern: decimal },
  '--max-concurrency': { values: 1, pattern: count },
  '--seed': { values: 1, pattern: count },
  '--ignore-eos': { values: 0 },
  '--goodput': { values: '+', pattern: /^(ttft|tpot|e2el):\d+(\.\d+)?$/ },
  '--percentile-metrics': { values: 1, pattern: /^(ttft|tpot|itl|e2el)(,(ttft|tpot|itl|e2el))*$/ },
  '--metric-percentiles': { values: 1, pattern: /^[\d.]+(,[\d.]+)*$/ },
  '--save-result': { values: 0 },
  '--result-filename': { values: 1 },
  '--temperature': { values: 1, pattern: decimal },
  '--top-p': { values: 1, pattern: decimal },
  '--top-k': { values: 1, pattern: count },
  '--min-p': { values: 1, pattern: decimal },
  '--extra-body': { values: 1, pattern: /^\{.*\}$/s },
};

/** GuideLLM 0.8.1: `guidellm run`, guidellm/cli/run.py and the fields of BenchmarkArgs. */
export const GUIDELLM_FLAGS: Flags = {
  '--backend': { values: 1 },
  '--data': { values: 1 },
  '--profile': { values: 1 },
  '--constraint': { values: 1 },
  '--seed': { values: 1, pattern: /^kind=static,value=\d+$/ },
  '--tokenizer': { values: 1 },
  '--output': { values: 1 },
  '--disable-console-interactive': { values: 0 },
};

/** Values by flag, and the faults: unknown flags, wrong numbers of values, values that do not fit. */
export function readFlags(
  words: readonly string[],
  known: Flags,
): { values: Record<string, string[]>; faults: string[] } {
  const values: Record<string, string[]> = {};
  let current = '';
  for (const word of words) {
    if (word.startsWith('--')) {
      current = word;
      values[word] = [];
    } else values[current] = [...(values[current] ?? []), word];
  }
  const faults = Object.entries(values).flatMap(([flag, given]) => {
    const rule = known[flag];
    if (rule === undefined) return [`unknown ${flag}`];
    const fits = rule.values === '+' ? given.length > 0 : given.length === rule.values;
    const odd = given.filter((v) => rule.pattern?.test(v) === false || rule.choices?.includes(v) === false);
    return [...(fits ? [] : [`${flag} takes ${rule.values}: ${given.length}`]), ...odd.map((v) => `${flag} ${v}`)];
  });
  return { values, faults };
}

const warmup = strict({ 'mode!': literal('duration'), 'value!': number });
const rates = strict({ 'kind!': literal('constant', 'poisson'), 'rate!': list(number, 1), warmup });
const streams = strict({ 'kind!': literal('concurrent'), 'streams!': list(positive, 1), warmup });

/** GuideLLM 0.8.1, guidellm/schemas: the kinds that scripts of ours use, closed; BenchmarkArgs itself read the same. */
export const GUIDELLM_PARTS: Readonly<Record<string, Schema>> = {
  '--backend': strict({
    'kind!': literal('openai_http'),
    'target!': { type: 'string', pattern: '^https?://' },
    'model!': text,
    'request_format!': literal('/v1/completions', '/v1/chat/completions'),
    api_key: text,
    timeout: number,
    extras: strict({ body: mapOf(anything) }),
  }),
  '--data': strict({
    'kind!': literal('synthetic_text'),
    'prompt_tokens!': positive,
    'output_tokens!': positive,
    prefix_tokens: positive,
    prefix_count: positive,
  }),
  '--profile': { anyOf: [streams, rates] },
  '--constraint': strict({ 'kind!': literal('max_duration'), 'seconds!': number }),
  '--tokenizer': strict({ 'kind!': literal('huggingface_auto'), 'model!': text }),
  '--output': strict({ 'kind!': literal('json'), 'path!': text }),
};

const units = literal('count', 's', 's/token', 'tokens/s', 'queries/s');
const statistics = strict({
  'units!': units,
  'mean!': number,
  p50: number,
  p90: number,
  p95: number,
  p99: number,
  p99p9: number,
});
const length = strict({ 'distribution!': literal('fixed'), 'value!': number });
const metadata = { schema_version: text, 'label!': text, 'cfg_id!': text };
const engine = strict({
  'metadata!': strict(metadata),
  'standardized!': strict({
    'kind!': literal('inference_engine'),
    'tool!': text,
    'tool_version!': text,
    'role!': literal('replica', 'prefill', 'decode'),
    'replicas!': whole,
    'model!': strict({ 'name!': text }),
    'accelerator!': strict({
      'model!': text,
      'count!': whole,
      'parallelism!': strict({ tp: whole, dp: whole, dp_local: whole, workers: whole, ep: positive, pp: positive }),
    }),
  }),
  'native!': strict({ args: mapOf(anything), envars: mapOf({ type: 'string' }) }),
});
const load = strict({
  'metadata!': strict({ schema_version: text, cfg_id: text, description: text }),
  'standardized!': strict({
    'tool!': text,
    'tool_version!': text,
    'source!': literal('random', 'sampled', 'unknown'),
    'input_seq_len!': length,
    output_seq_len: length,
    prefix: strict({
      'prefix_len!': length,
      'num_groups!': positive,
      'num_users_per_group!': positive,
      'num_prefixes!': positive,
    }),
    rate_qps: number,
    concurrency: positive,
  }),
  'native!': strict({ config: anything }),
});

/** llm-d/llm-d-benchmark @8bc9f1dd, br_v0_2_json_schema.json, in our own words; the whole of it accepted the same files. */
export const benchmarkReport: Schema = strict({
  'version!': literal('0.2'),
  'run!': strict({
    'uid!': text,
    eid: text,
    time: strict({ duration: { type: 'string', pattern: '^PT[\\d.]+S$' } }),
    description: text,
    keywords: list(text),
  }),
  scenario: strict({ stack: list(engine, 1), load }),
  'results!': strict({
    'request_performance!': strict({
      'aggregate!': strict({
        requests: strict({ 'total!': whole, failures: whole, input_length: statistics, output_length: statistics }),
        throughput: mapOf(statistics),
        latency: mapOf(statistics),
      }),
    }),
  }),
});
