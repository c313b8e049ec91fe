import type { SettingValues } from '../../plan/settings';
import type { LoweringTable } from '../engine';
import { already, arg, inTarget, requestField, unsupported } from '../lower';
import { EMBEDDED, isEmbedded, SERVER_CONTEXT, SERVER_README } from './sources';

const NO_ORDER = 'requests wait for a free slot in the order in which they came';

const PREEMPTION: Partial<Record<SettingValues['preemption'], string>> = {
  recompute: 'a sequence keeps its slot to its end; nothing is preempted',
  swap: 'a sequence keeps its slot to its end; nothing is preempted',
};

export const llamaCppServing = {
  queueLimit: inTarget('queueLimit', SERVER_README, (requests, ctx) =>
    isEmbedded(ctx)
      ? arg('--queue-limit', requests)
      : unsupported(
          'llama-server holds requests in a queue without a limit: bound it in a gateway',
          `${SERVER_CONTEXT} (deferred queue)`,
        ),
  ),
  apiKeySecret: inTarget('apiKeySecret', SERVER_README, (secret) => ({
    kind: 'env',
    env: { LLAMA_API_KEY: `$${secret}` },
  })),
  structuredOutputBackend: {
    unsupported: 'llama.cpp constrains output by GBNF grammars of its own; no flag chooses another library',
    source: 'llama.cpp b10573, grammars/README.md; docs/llguidance.md (chosen when it is built)',
  },
  chunkedPrefill: inTarget('chunkedPrefill', SERVER_README, (state) =>
    state === 'on' ? already : unsupported('a prompt longer than a batch is always computed in parts', SERVER_CONTEXT),
  ),
  schedulingPolicy: inTarget('schedulingPolicy', SERVER_CONTEXT, (policy) =>
    policy === 'first-come' ? already : unsupported(`${NO_ORDER}, not by ${policy}`, SERVER_CONTEXT, 'vllm'),
  ),
  priorityHighFirst: { unsupported: `there are no priorities: ${NO_ORDER}`, source: SERVER_CONTEXT },
  preemption: inTarget('preemption', SERVER_CONTEXT, (mode) => {
    const fault = PREEMPTION[mode];
    return fault === undefined ? already : unsupported(fault, SERVER_CONTEXT);
  }),
  batchWaitMs: inTarget('batchWaitMs', SERVER_CONTEXT, (ms) =>
    ms === 0 ? already : unsupported('a request joins the next step and waits for no others', SERVER_CONTEXT),
  ),
  streamIntervalTokens: inTarget('streamIntervalTokens', SERVER_README, (tokens) =>
    tokens === 1 ? already : unsupported('every token is sent as it comes', SERVER_README, 'vllm'),
  ),
  metricsEndpoint: inTarget('metricsEndpoint', SERVER_README, (state, ctx) => {
    if (isEmbedded(ctx)) {
      return state === 'on' ? already : unsupported('the embedded engine serves its figures always', EMBEDDED);
    }
    return state === 'on' ? arg('--metrics') : already;
  }),
  torchProfilerFolder: {
    unsupported: 'llama.cpp is C++; there is no PyTorch to trace',
    source: SERVER_README,
  },
  temperature: inTarget('temperature', SERVER_README, (value) => requestField('temperature', value)),
  topP: inTarget('topP', SERVER_README, (value) => requestField('top_p', value)),
  topK: inTarget('topK', SERVER_README, (value) => requestField('top_k', value)),
  minP: inTarget('minP', SERVER_README, (value) => requestField('min_p', value)),
  beams: inTarget('beams', SERVER_README, (beams) =>
    beams === 1 ? already : unsupported('llama.cpp serves no beam search; it samples one continuation', SERVER_README),
  ),
} satisfies Partial<LoweringTable>;
