import type { Engine, LoweringTable } from './engine';
import { already, inTarget, requestField, unsupported } from './lower';

const SOURCE = 'the endpoint runs already';
const REASON = 'cannot be set: the server behind the URL runs already with its own configuration';
const OPENAI = 'https://platform.openai.com/docs/api-reference/chat/create';
const fixed = { unsupported: REASON, source: SOURCE };

/** Only what travels with a request can be asked of a server that somebody else started. */
const lowering: LoweringTable = {
  weightsFormat: fixed,
  flashAttention: fixed,
  kvCacheKeyType: fixed,
  kvCacheValueType: fixed,
  prefixCaching: fixed,
  contextTokensPerSequence: fixed,
  sinkTokens: fixed,
  maxSequences: fixed,
  prefillTokensPerStep: fixed,
  threads: fixed,
  queueLimit: fixed,
  apiKeySecret: {
    unsupported: "the endpoint's own key is named on the engine node; a second one cannot be added",
    source: SOURCE,
  },
  speculation: fixed,
  draftTokens: fixed,
  promptLookupMinTokens: fixed,
  promptLookupMaxTokens: fixed,
  tensorParallel: fixed,
  memoryFraction: fixed,
  temperature: inTarget('temperature', OPENAI, (value) => requestField('temperature', value)),
  topP: inTarget('topP', OPENAI, (value) => requestField('top_p', value)),
  topK: inTarget('topK', OPENAI, (value) => requestField('top_k', value)),
  minP: inTarget('minP', OPENAI, (value) => requestField('min_p', value)),
  beams: inTarget('beams', OPENAI, (beams) =>
    beams === 1 ? already : unsupported('the OpenAI API has no beam search', OPENAI),
  ),
};

/** A server that answers at a URL. Nothing is launched; the component carries `endpoint` and an empty argv. */
export const endpoint: Engine = {
  id: 'endpoint',
  title: 'Existing endpoint',
  runtimes: [],
  versions: { readFrom: 'any', readTo: 'any', pinned: 'any', source: SOURCE },
  command: () => [],
  image: () => null,
  port: 443,
  healthPath: '/v1/models',
  metricsPath: '/metrics',
  metricNames: {},
  weightFormats: [],
  defaults: () => ({ beams: { value: 1, source: OPENAI } }),
  lowering,
  flags: null,
  failures: [
    {
      pattern: /401|403|unauthorized|invalid api key|incorrect api key/i,
      code: 'key-refused',
      message: 'The endpoint refuses the key.',
      setting: null,
    },
    {
      pattern: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed/i,
      code: 'endpoint-unreachable',
      message: 'Nothing answers at the URL.',
      setting: null,
    },
    {
      pattern: /404|model_not_found|does not exist/i,
      code: 'model-not-served',
      message: 'The endpoint does not serve this model.',
      setting: null,
    },
  ],
};
