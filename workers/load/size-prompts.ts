import {
  buildPrompt,
  isSized,
  nextSize,
  type PromptSize,
  type SizeProbe,
  sharedPrefix,
} from '@/server/core/workload/prompts';
import type { Client } from './client';
import type { LoadJob } from './load-types';

const MAX_PROBES = 6;

/**
 * Adjusts the prompts' words until the server counts the tokens asked for (± 2 %). A server that reports no usage
 * leaves the first guess, and a null count.
 * @throws with the server's own words when it refuses every probe
 */
export async function sizePrompts(
  job: LoadJob,
  seed: number,
  client: Client,
  now: () => number,
  signal: AbortSignal,
): Promise<{ size: PromptSize; inputTokens: number | null }> {
  const { inputTokens, prefixTokens } = job.workload;
  const probes: SizeProbe[] = [];
  let size = nextSize(inputTokens, prefixTokens, probes);
  let best = { size, inputTokens: null as number | null };
  const off = (tokens: number | null): number => (tokens === null ? Infinity : Math.abs(tokens - inputTokens));
  for (let index = 0; index < MAX_PROBES && !signal.aborted; index++) {
    const prompt = buildPrompt(sharedPrefix(seed, size.prefixWords), seed, 'sizing', index, size);
    const spec = { index, phase: 'warmup' as const, scheduledMs: now(), prompt, maxTokens: 1 };
    const record = await client.send(spec, () => {}, signal);
    if (record.outcome === 'shed') continue;
    // A prompt over the context is refused as a bad request: try half of it, then grow to the size asked.
    if (record.httpStatus === 400 && index < 2) {
      size = { prefixWords: Math.floor(size.prefixWords / 2), uniqueWords: Math.ceil(size.uniqueWords / 2) };
      continue;
    }
    if (record.outcome !== 'ok') throw new Error(`${job.url} does not answer: ${record.error ?? record.outcome}`);
    if (record.inputTokens === null) return { size, inputTokens: null };
    if (off(record.inputTokens) < off(best.inputTokens)) best = { size, inputTokens: record.inputTokens };
    if (isSized(inputTokens, record.inputTokens)) break;
    probes.push({ words: size.prefixWords + size.uniqueWords, tokens: record.inputTokens });
    size = nextSize(inputTokens, prefixTokens, probes);
  }
  return best;
}
