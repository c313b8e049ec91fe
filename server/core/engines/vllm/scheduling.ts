import type { SettingValues } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, arg, inTarget, stepBudget, unsupported } from '../lower';
import { isAtLeast } from '../version';

const SCHEDULER = 'vLLM @017e9f4448, vllm/config/scheduler.py';
const QUEUE = 'vLLM @017e9f4448, vllm/v1/core/sched/request_queue.py';
const CPU_DOCS = 'vLLM @017e9f4448, docs/getting_started/installation/cpu.md';

function lowerPrefillChunk(tokens: number, ctx: LoweringContext): Lowered {
  const budget = stepBudget(tokens, ctx);
  return arg('--max-num-batched-tokens', budget.tokens, budget.note);
}

function lowerThreads(threads: number, ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'gpu') {
    return unsupported('vLLM on a GPU computes there; threads of the host are not a setting', CPU_DOCS);
  }
  return { kind: 'env', env: { VLLM_CPU_OMP_THREADS_BIND: threads === 1 ? '0' : `0-${threads - 1}` } };
}

function lowerQueueLimit(requests: number, ctx: LoweringContext): Lowered {
  const source = 'vLLM 0.29 release notes, PR vllm-project/vllm#49445';
  if (!isAtLeast(ctx.version, '0.29')) {
    return unsupported(
      `vLLM ${ctx.version} has no bound on its queue (0.29 brings one): bound it in a gateway`,
      source,
    );
  }
  return arg('--max-num-queued-reqs', requests, 'answers 503, not 429');
}

function lowerPolicy(policy: SettingValues['schedulingPolicy']): Lowered {
  if (policy === 'longest-prefix') {
    return unsupported('vLLM orders its queue by arrival or by priority, not by cached prefix', QUEUE, 'sglang');
  }
  return arg('--scheduling-policy', policy === 'priority' ? 'priority' : 'fcfs');
}

function lowerPriorityOrder(highFirst: boolean, ctx: LoweringContext): Lowered {
  if (ctx.value('schedulingPolicy') !== 'priority') {
    return unsupported('an order of priorities means nothing without the priority policy', QUEUE);
  }
  return highFirst
    ? unsupported('in vLLM the smaller priority goes first, always: turn the numbers of the requests around', QUEUE)
    : { kind: 'carried', by: 'schedulingPolicy' };
}

const PREEMPTION: Partial<Record<SettingValues['preemption'], string>> = {
  swap: 'vLLM computes a preempted sequence again; swapping went with its first engine: a host-memory tier keeps blocks instead',
  never: 'vLLM preempts whenever the cache is full: admit fewer sequences, or keep a share free with --watermark',
};

export const vllmScheduling = {
  maxSequences: inTarget('maxSequences', SCHEDULER, (sequences) => arg('--max-num-seqs', sequences)),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', SCHEDULER, lowerPrefillChunk),
  chunkedPrefill: inTarget('chunkedPrefill', SCHEDULER, (state) =>
    arg(state === 'on' ? '--enable-chunked-prefill' : '--no-enable-chunked-prefill'),
  ),
  threads: inTarget('threads', CPU_DOCS, lowerThreads),
  queueLimit: inTarget('queueLimit', SCHEDULER, lowerQueueLimit),
  schedulingPolicy: inTarget('schedulingPolicy', SCHEDULER, lowerPolicy),
  priorityHighFirst: inTarget('priorityHighFirst', QUEUE, lowerPriorityOrder),
  preemption: inTarget('preemption', SCHEDULER, (mode) => {
    const fault = PREEMPTION[mode];
    return fault === undefined ? already : unsupported(fault, 'vLLM @017e9f4448, vllm/v1/core/sched/scheduler.py');
  }),
  batchWaitMs: inTarget('batchWaitMs', SCHEDULER, (ms) =>
    ms === 0
      ? already
      : unsupported('vLLM batches continuously: a request joins the next step and waits for no others', SCHEDULER),
  ),
  streamIntervalTokens: inTarget('streamIntervalTokens', SCHEDULER, (tokens) => arg('--stream-interval', tokens)),
} satisfies Partial<LoweringTable>;
