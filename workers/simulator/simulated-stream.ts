import { createPrng } from '@/server/core/workload/prng';
import { WORDS } from '@/server/core/workload/words';

/** What a request asks of the simulator. */
export interface SimulatedRequest {
  chat: boolean;
  model: string;
  promptTokens: number;
  maxTokens: number;
  stream: boolean;
  includeUsage: boolean;
}

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(asText).join(' ');
  return value !== null && typeof value === 'object' && 'text' in value ? asText(value.text) : '';
};

/** Tokens of the simulated tokenizer: words between spaces. */
const countTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** Reads an OpenAI body; null with a reason where it asks for nothing. */
export function readRequest(body: Record<string, unknown>, chat: boolean): SimulatedRequest | string {
  const { prompt, messages } = body;
  let text = asText(prompt);
  if (chat) {
    if (!Array.isArray(messages) || messages.length === 0) return 'messages must be a list';
    text = messages.map((m: { content?: unknown }) => asText(m?.content)).join(' ');
  }
  const promptTokens = Array.isArray(prompt) && prompt.every(Number.isInteger) ? prompt.length : countTokens(text);
  if (promptTokens === 0) return 'the prompt is empty';
  const maxTokens = Number(body.max_tokens ?? body.max_completion_tokens ?? 16);
  if (!Number.isInteger(maxTokens) || maxTokens < 1) return 'max_tokens must be a positive whole number';
  const options = body.stream_options as { include_usage?: boolean } | undefined;
  return {
    chat,
    model: typeof body.model === 'string' ? body.model : 'simulator',
    promptTokens: promptTokens + (chat ? 3 : 0),
    maxTokens,
    stream: body.stream === true,
    includeUsage: options?.include_usage === true || body.stream !== true,
  };
}

/** The words of answer `index`: the same in every run. */
export function answerWords(index: number, count: number): string[] {
  const prng = createPrng('simulator-answer', index);
  return Array.from({ length: count }, () => ` ${WORDS[prng.below(WORDS.length)] ?? 'the'}`);
}

export const usageOf = (promptTokens: number, outputTokens: number) => ({
  prompt_tokens: promptTokens,
  completion_tokens: outputTokens,
  total_tokens: promptTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: 0 },
});

/** One server-sent event of a streamed answer. */
export function streamEvent(request: SimulatedRequest, id: string, text: string | null, finish: string | null): string {
  const choice = request.chat
    ? { index: 0, delta: text === null ? {} : { content: text }, finish_reason: finish }
    : { index: 0, text: text ?? '', finish_reason: finish, logprobs: null };
  const object = request.chat ? 'chat.completion.chunk' : 'text_completion';
  return `data: ${JSON.stringify({ id, object, created: 0, model: request.model, choices: [choice] })}\n\n`;
}
