import { z } from 'zod';
import { badRequest } from './api-error';

const tokenIds = z.array(z.number().int().nonnegative());
const content = z.union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))]);
const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content,
  name: z.string().optional(),
});

/** Fields of OpenAI's API that change nothing in what an engine generates. */
const HARMLESS = [
  'user',
  'metadata',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'add_special_tokens',
];
/** Fields that we accept at the value that means "off", and refuse otherwise. */
const ONLY_AT: Record<string, readonly unknown[]> = {
  n: [1],
  best_of: [1],
  echo: [false],
  logprobs: [false, 0],
  top_logprobs: [0],
  suffix: [''],
  frequency_penalty: [0],
  presence_penalty: [0],
  repetition_penalty: [1],
  use_beam_search: [false],
  parallel_tool_calls: [true, false],
  tool_choice: ['none', 'auto'],
};

const shared = {
  model: z.string().optional(),
  max_tokens: z.number().int().positive().optional(),
  min_tokens: z.number().int().nonnegative().default(0),
  temperature: z.number().min(0).max(100).default(1),
  top_p: z.number().gt(0).max(1).default(1),
  top_k: z.number().int().min(-1).default(0),
  min_p: z.number().min(0).max(1).default(0),
  seed: z.number().int().nullable().default(null),
  stop: z
    .union([z.string(), z.array(z.string()).max(16)])
    .nullable()
    .default(null),
  stream: z.boolean().default(false),
  stream_options: z
    .strictObject({ include_usage: z.boolean().default(false), continuous_usage_stats: z.boolean().default(false) })
    .nullable()
    .default(null),
  ignore_eos: z.boolean().default(false),
  return_token_ids: z.boolean().default(false),
};

const textSchema = z.strictObject({
  ...shared,
  prompt: z.union([z.string(), tokenIds, z.array(z.string()), z.array(tokenIds)]),
});
const chatSchema = z.strictObject({
  ...shared,
  messages: z.array(messageSchema).min(1),
  max_completion_tokens: z.number().int().positive().optional(),
});

export interface ChatMessage {
  role: string;
  content: string;
}

/** A request as the engine runs it. `maxTokens` null: as many as fit (chat), 16 (completions, OpenAI's default). */
export interface CompletionRequest {
  model: string | null;
  prompt: { text: string } | { tokens: number[] } | { messages: ChatMessage[] };
  maxTokens: number | null;
  minTokens: number;
  ignoreEos: boolean;
  temperature: number;
  topP: number;
  topK: number;
  minP: number;
  seed: number | null;
  stops: string[];
  stream: boolean;
  includeUsage: boolean;
  continuousUsage: boolean;
  /** `token_ids` in each choice, as vLLM does it. */
  returnTokenIds: boolean;
}

/** Drops fields that mean nothing here; throws for those whose value we would not honour. */
function withoutNeutralFields(body: Record<string, unknown>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (HARMLESS.includes(name) || value === null) continue;
    const neutral = ONLY_AT[name];
    if (!neutral) rest[name] = value;
    else if (!neutral.includes(value))
      throw badRequest(
        `${name}: ${JSON.stringify(value)} is not supported by this engine (only ${neutral.map((v) => JSON.stringify(v)).join(' or ')})`,
        name,
        'unsupported_value',
      );
  }
  const format = rest.response_format;
  if (format && typeof format === 'object' && 'type' in format && format.type === 'text') delete rest.response_format;
  if (rest.logit_bias && Object.keys(rest.logit_bias).length === 0) delete rest.logit_bias;
  return rest;
}

function refuse(error: z.ZodError): never {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const name = issue.keys[0] ?? 'parameter';
    throw badRequest(`${name} is not supported by this engine`, name, 'unsupported_parameter');
  }
  const where = issue?.path.join('.') ?? '';
  throw badRequest(`${where || 'body'}: ${issue?.message ?? 'invalid'}`, where || null);
}

function promptOf(prompt: z.infer<typeof textSchema>['prompt']): CompletionRequest['prompt'] {
  if (typeof prompt === 'string') return { text: prompt };
  if (prompt.length === 0) throw badRequest('prompt is empty', 'prompt');
  const first = prompt[0];
  if (typeof first === 'number') return { tokens: prompt as number[] };
  if (prompt.length > 1)
    throw badRequest('prompt: one prompt a request; send several requests instead', 'prompt', 'unsupported_value');
  return typeof first === 'string' ? { text: first } : { tokens: first as number[] };
}

function common(
  body: z.infer<typeof textSchema> | z.infer<typeof chatSchema>,
): Omit<CompletionRequest, 'prompt' | 'maxTokens'> {
  if (body.stream_options && !body.stream) throw badRequest('stream_options needs stream: true', 'stream_options');
  const stops = body.stop === null ? [] : typeof body.stop === 'string' ? [body.stop] : body.stop;
  if (stops.includes('')) throw badRequest('stop: an empty string', 'stop');
  return {
    model: body.model ?? null,
    minTokens: body.min_tokens,
    ignoreEos: body.ignore_eos,
    temperature: body.temperature,
    topP: body.top_p,
    topK: Math.max(0, body.top_k),
    minP: body.min_p,
    seed: body.seed,
    stops,
    stream: body.stream,
    includeUsage: body.stream_options?.include_usage ?? false,
    continuousUsage: body.stream_options?.continuous_usage_stats ?? false,
    returnTokenIds: body.return_token_ids,
  };
}

/** Body → request; throws ApiError 400 that names the parameter which we would not honour. */
export function parseCompletionRequest(body: unknown, kind: 'text' | 'chat'): CompletionRequest {
  if (!body || typeof body !== 'object' || Array.isArray(body)) throw badRequest('the body must be a JSON object');
  const fields = withoutNeutralFields(body as Record<string, unknown>);
  if (kind === 'text') {
    const parsed = textSchema.safeParse(fields);
    if (!parsed.success) refuse(parsed.error);
    return { ...common(parsed.data), prompt: promptOf(parsed.data.prompt), maxTokens: parsed.data.max_tokens ?? 16 };
  }
  const parsed = chatSchema.safeParse(fields);
  if (!parsed.success) refuse(parsed.error);
  const messages = parsed.data.messages.map(({ role, content: c }) => ({
    role,
    content: typeof c === 'string' ? c : c.map((part) => part.text).join(''),
  }));
  const maxTokens = parsed.data.max_completion_tokens ?? parsed.data.max_tokens ?? null;
  return { ...common(parsed.data), prompt: { messages }, maxTokens };
}
