import { type Finding, finding } from '../plan/finding';
import type { Load, Workload } from '../workload/workload';
import {
  benchmarkScript,
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

const VERSION = '0.8.1';

/** Loads of one kind make one run; GuideLLM walks through a list of rates or clients. */
function profilesOf({ loads, warmupS }: Workload): { profile: Record<string, unknown>; loads: Load[] }[] {
  const warmup = warmupS > 0 ? { warmup: { mode: 'duration', value: warmupS } } : {};
  return (['closed', 'constant', 'poisson'] as const).flatMap((mode) => {
    const own = loads.filter((load) => load.mode === mode);
    if (own.length === 0) return [];
    const levels = own.map((load) => (load.mode === 'closed' ? load.concurrency : load.ratePerS));
    const shape = mode === 'closed' ? { kind: 'concurrent', streams: levels } : { kind: mode, rate: levels };
    return [{ profile: { ...shape, ...warmup }, loads: own }];
  });
}

const dataOf = (workload: Workload): Record<string, unknown> => ({
  kind: 'synthetic_text',
  prompt_tokens: uniqueTokens(workload),
  output_tokens: workload.outputTokens,
  ...(workload.prefixTokens === 0 ? {} : { prefix_tokens: workload.prefixTokens, prefix_count: 1 }),
});

function backendOf({ plan }: ExportInput, workload: Workload, { model }: Upstream): Record<string, unknown> {
  const body = plan.request;
  return {
    kind: 'openai_http',
    target: '@BASE_URL@',
    model,
    request_format: workload.endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions',
    timeout: workload.requestTimeoutS,
    ...(Object.keys(body).length === 0 ? {} : { extras: { body } }),
  };
}

/** JSON with the address and, where the server asks for one, the key filled in by bash. */
function backendLines(input: ExportInput, workload: Workload, upstream: Upstream): string[] {
  const json = JSON.stringify(backendOf(input, workload, upstream));
  const secret = upstream.apiKeySecret;
  return [
    `backend=${word(json)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
    'backend="${backend/@BASE_URL@/"$base_url"}"',
    ...(secret === null ? [] : [`backend="\${backend%\\}},\\"api_key\\":\\"\${${secret}:?set it to the secret}\\"}"`]),
  ];
}

function runLines(input: ExportInput, workload: Workload, upstream: Upstream): string[] {
  const tokenizer = tokenizerOf(input.plan);
  return [
    '',
    `# ${oneLine(workloadLine(workload))}`,
    ...backendLines(input, workload, upstream),
    ...profilesOf(workload).flatMap(({ profile, loads }) => {
      const file = `${folderOf(workload.id)}-${String(profile.kind)}.json`;
      return [
        `# ${oneLine(loads.map(loadText).join('; '))}`,
        'args=(',
        '  --backend "$backend"',
        `  --data ${word(JSON.stringify(dataOf(workload)))}`,
        `  --profile ${word(JSON.stringify(profile))}`,
        `  --constraint ${word(JSON.stringify({ kind: 'max_duration', seconds: workload.warmupS + workload.windowS }))} # warm-up + window, each level`,
        `  --seed ${word(`kind=static,value=${seedOf(input).seed}`)}`,
        ...(tokenizer === null
          ? []
          : [`  --tokenizer ${word(JSON.stringify({ kind: 'huggingface_auto', model: tokenizer }))}`]),
        `  --output ${word(JSON.stringify({ kind: 'json', path: file }))}`,
        '  --disable-console-interactive',
        ')',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
        'guidellm run "${args[@]}"',
      ];
    }),
  ];
}

function differences({ plan, workloads }: ExportInput): Finding[] {
  return workloads.flatMap(({ id, nodeId, title, inputTokens, prefixTokens, ignoreEos, slos }) => {
    const note = (holds: boolean, message: string): Finding[] =>
      holds ? [finding('warning', 'workload-differs', `${title}: ${message}.`, { nodeId })] : [];
    return [
      ...note(inputTokens === prefixTokens, 'GuideLLM adds one token to a prompt that is all shared prefix'),
      ...note(!ignoreEos, 'GuideLLM always asks for the whole length (ignore_eos), the workload lets the model stop'),
      ...note(slos.length > 0, 'GuideLLM reports latencies, not the share of requests within the limits'),
      ...note(
        plan.checkpoints.length > 0 && tokenizerOf(plan) === null,
        `no tokenizer on the Hub is known for ${id}: add --tokenizer`,
      ),
    ];
  });
}

function render(input: ExportInput): Exported {
  const { script, findings } = benchmarkScript({
    input,
    about: [
      `For GuideLLM ${VERSION}: pip install 'guidellm==${VERSION}'; results lie beside this script. ${seedOf(input).note}.`,
      'BASE_URL names another server. A key stands in the arguments of the process while it runs.',
    ],
    lines: (upstream) => input.workloads.flatMap((workload) => runLines(input, workload, upstream)),
  });
  if (script === null) return { files: [], findings };
  return { files: [{ path: 'guidellm.sh', content: script }], findings: differences(input) };
}

export const guidellmBenchmark: Exporter = {
  id: 'guidellm-benchmark',
  group: 'benchmark',
  title: 'GuideLLM command',
  summary: "the pipeline's workloads as a GuideLLM run: lengths, prefix, arrivals, window, seed",
  refusal: () => null,
  supports: () => true,
  render,
};
