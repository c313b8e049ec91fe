import { type Finding, finding } from '../plan/finding';
import type { Load, Slo, Workload } from '../workload/workload';
import {
  benchmarkScript,
  loadName,
  loadText,
  seedOf,
  tokenizerOf,
  uniqueTokens,
  workloadLine,
} from './benchmarks/benchmark-script';
import { oneLine } from './comment';
import { folderOf } from './export-plans';
import type { Exported, Exporter, ExportInput } from './exporter';
import type { Upstream } from './gateways/upstream';
import { word } from './shell-script';

const VERSION = '0.28.0';

/** Requests that each client sends where nothing tells how long one takes. */
const REQUESTS_PER_CLIENT = 20;

/** Requests a second of the same load in the run; null where it was not measured. */
function measuredRate({ trial }: ExportInput, workload: Workload, load: Load): number | null {
  const point = trial?.outcome.points.find(
    (other) => other.workload === workload.id && JSON.stringify(other.load) === JSON.stringify(load),
  );
  return point?.metrics.requestsPerS?.value ?? null;
}

/** The tool counts requests, a workload seconds: rate × seconds, for closed loops at the rate that the run had. */
function requestCount(input: ExportInput, workload: Workload, load: Load, seconds: number): number | null {
  const rate = load.mode === 'closed' ? measuredRate(input, workload, load) : load.ratePerS;
  return rate === null ? null : Math.max(load.mode === 'closed' ? load.concurrency : 1, Math.round(rate * seconds));
}

/** Requests of the window, and those before it: without a run, one for each client warms up. */
function requestCounts(input: ExportInput, workload: Workload, load: Load): { measured: number; warmups: number } {
  const clients = load.mode === 'closed' ? load.concurrency : 1;
  const measured = requestCount(input, workload, load, workload.windowS) ?? clients * REQUESTS_PER_CLIENT;
  const warmups = workload.warmupS === 0 ? 0 : (requestCount(input, workload, load, workload.warmupS) ?? clients);
  return { measured, warmups };
}

const GOODPUT: Partial<Record<Slo['metric'], string>> = { ttftMs: 'ttft', tpotMs: 'tpot', e2eMs: 'e2el' };

/** Options of vllm bench for request fields; others travel in the body as they are. */
const SAMPLING: Readonly<Record<string, string>> = {
  temperature: '--temperature',
  top_p: '--top-p',
  top_k: '--top-k',
  min_p: '--min-p',
};

type Words = [flag: string, ...values: string[]][];

function samplingWords(request: Readonly<Record<string, unknown>>): Words {
  const known = Object.entries(request).flatMap(([field, value]): Words => {
    const flag = SAMPLING[field];
    return flag === undefined ? [] : [[flag, String(value)]];
  });
  const others = Object.fromEntries(Object.entries(request).filter(([field]) => SAMPLING[field] === undefined));
  return [...known, ...(Object.keys(others).length === 0 ? [] : ([['--extra-body', JSON.stringify(others)]] as Words))];
}

function loadWords(load: Load): Words {
  if (load.mode === 'closed')
    return [
      ['--request-rate', 'inf'],
      ['--max-concurrency', String(load.concurrency)],
    ];
  return [
    ['--request-rate', String(load.ratePerS)],
    ['--burstiness', load.mode === 'poisson' ? '1.0' : 'inf'],
  ];
}

function goodputWords({ slos }: Workload): Words {
  const pairs = slos.flatMap(({ metric, limitMs }) => {
    const name = GOODPUT[metric];
    return name === undefined ? [] : [`${name}:${limitMs}`];
  });
  return pairs.length === 0 ? [] : [['--goodput', ...pairs]];
}

function runWords(input: ExportInput, workload: Workload, load: Load, upstream: Upstream): Words {
  const tokenizer = tokenizerOf(input.plan);
  const isChat = workload.endpoint === 'chat';
  const { measured, warmups } = requestCounts(input, workload, load);
  return [
    ['--backend', isChat ? 'openai-chat' : 'openai'],
    ['--endpoint', isChat ? '/v1/chat/completions' : '/v1/completions'],
    ['--model', upstream.model],
    ...(tokenizer === null || tokenizer === upstream.model ? [] : ([['--tokenizer', tokenizer]] as Words)),
    ['--dataset-name', 'random'],
    ['--random-input-len', String(uniqueTokens(workload))],
    ['--random-output-len', String(workload.outputTokens)],
    ['--random-prefix-len', String(workload.prefixTokens)],
    ['--random-range-ratio', '0'],
    ['--num-prompts', String(measured)],
    ['--num-warmups', String(warmups)],
    ...loadWords(load),
    ['--seed', String(seedOf(input).seed)],
    ...(workload.ignoreEos ? ([['--ignore-eos']] as Words) : []),
    ...goodputWords(workload),
    ...samplingWords(input.plan.request),
    ['--percentile-metrics', 'ttft,tpot,itl,e2el'],
    ['--metric-percentiles', '50,90,95,99,99.9'],
    ['--save-result'],
    ['--result-filename', `${folderOf(workload.id)}-${folderOf(loadName(load))}.json`],
  ];
}

function runLines(input: ExportInput, workload: Workload, upstream: Upstream): string[] {
  return [
    '',
    `# ${oneLine(workloadLine(workload))}`,
    ...workload.loads.flatMap((load) => [
      `# ${oneLine(loadText(load))}`,
      'args=(',
      '  --base-url "$base_url"',
      ...runWords(input, workload, load, upstream).map((words) => `  ${words.map(word).join(' ')}`),
      ')',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
      'vllm bench serve "${args[@]}"',
    ]),
  ];
}

function differences(input: ExportInput): Finding[] {
  return input.workloads.flatMap((workload) => {
    const { nodeId, title, loads, slos, ignoreEos, inputTokens, prefixTokens } = workload;
    const note = (holds: boolean, message: string): Finding[] =>
      holds ? [finding('warning', 'workload-differs', `${title}: ${message}.`, { nodeId })] : [];
    const isMeasured = input.trial !== null;
    return [
      ...note(true, `vllm bench serve counts requests, not the ${workload.windowS} s of the window`),
      ...note(
        loads.some(({ mode }) => mode === 'closed') && !isMeasured,
        `no run tells how many requests a closed loop makes: ${REQUESTS_PER_CLIENT} for each client`,
      ),
      ...note(
        slos.some(({ metric }) => metric === 'itlMs'),
        'vllm bench serve has no goodput limit on ITL',
      ),
      ...note(!ignoreEos, 'vllm bench serve ignores the end of text with random prompts, the workload does not'),
      ...note(
        true,
        `a request that takes over ${workload.requestTimeoutS} s counts as lost here, and not in vllm bench serve`,
      ),
      ...note(inputTokens === prefixTokens, 'vllm bench serve adds one token to a prompt that is all shared prefix'),
      ...note(tokenizerOf(input.plan) === null, 'no tokenizer on the Hub is known: add --tokenizer'),
    ];
  });
}

function render(input: ExportInput): Exported {
  const { script, findings } = benchmarkScript({
    input,
    about: [
      `For vLLM ${VERSION}: pip install 'vllm[bench]==${VERSION}'; it measures any OpenAI-compatible server. ${seedOf(input).note}.`,
      'BASE_URL names another server.',
    ],
    lines: (upstream) => [
      ...(upstream.apiKeySecret === null
        ? []
        : [`export OPENAI_API_KEY="\${${upstream.apiKeySecret}:?set it to the secret}"`]),
      ...input.workloads.flatMap((workload) => runLines(input, workload, upstream)),
    ],
  });
  if (script === null) return { files: [], findings };
  return { files: [{ path: 'vllm-bench-serve.sh', content: script }], findings: differences(input) };
}

export const vllmBenchServe: Exporter = {
  id: 'vllm-bench-serve',
  group: 'benchmark',
  title: 'vllm bench serve command',
  summary: "the pipeline's workloads as vllm bench serve runs, one for each load",
  refusal: () => null,
  supports: () => true,
  render,
};
