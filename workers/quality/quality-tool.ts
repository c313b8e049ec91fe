import { createHash } from 'node:crypto';
import { type ScoredWindow, summarizeWindows, sumWindow, type WindowSums } from '@/server/core/quality/logprobs';
import { ScoreRefused, type ScoreServer, scoreTokens, tokenize } from './score-client';

/** What the baseline said about the text: its own windows with all their log-probabilities. */
export interface QualityReference {
  windows: ScoredWindow[];
}

/** Figures of one server on the text. `noiseFloor` needs a second pass of the baseline: the caller fills it in. */
export interface QualityFigures {
  perplexity: number | null;
  klDivergence: number | null;
  top1Agreement: number | null;
  noiseFloor: number | null;
  tokens: number;
}

const WINDOWS = 4;
const WINDOW_TOKENS = 192;
const SMALLEST_WINDOW = 32;
/** Bytes of text that surely hold the windows' tokens. */
const TEXT_BYTES_PER_TOKEN = 16;

/** Spreads the windows over the tokens, so that no single passage decides. */
function cutWindows(tokens: readonly number[], windowTokens: number): number[][] {
  const count = Math.min(WINDOWS, Math.floor(tokens.length / windowTokens));
  const step = count > 1 ? Math.floor((tokens.length - windowTokens) / (count - 1)) : 0;
  return Array.from({ length: count }, (_, i) => tokens.slice(i * step, i * step + windowTokens));
}

/** Scores a text in windows; a context too short for them halves the windows. */
async function scoreText(server: ScoreServer, text: string, signal: AbortSignal): Promise<ScoredWindow[]> {
  const tokens = await tokenize(server, text, signal);
  for (let size = WINDOW_TOKENS; ; size = Math.floor(size / 2)) {
    try {
      const windows: ScoredWindow[] = [];
      for (const window of cutWindows(tokens, size)) windows.push(await scoreTokens(server, window, signal));
      if (windows.length === 0) throw new ScoreRefused(200, null, `the text has ${tokens.length} tokens only`);
      return windows;
    } catch (error) {
      const tooLong = error instanceof ScoreRefused && error.code === 'context_length_exceeded';
      if (!tooLong || size / 2 < SMALLEST_WINDOW) throw error;
    }
  }
}

/** Scores the reference's own windows, one at a time, and drops each when it is summed. */
async function compareWindows(
  server: ScoreServer,
  reference: QualityReference,
  signal: AbortSignal,
): Promise<WindowSums[]> {
  const sums: WindowSums[] = [];
  for (const window of reference.windows) {
    sums.push(sumWindow(await scoreTokens(server, [...window.tokens], signal), window));
  }
  return sums;
}

/**
 * Teacher-forced quality on a held-out text: perplexity, KL and top-1 agreement from full log-probabilities.
 * A server with another tokenizer gets its own windows and no KL: the numbers would not compare.
 */
export function createQualityTool(heldout: string) {
  const text = heldout.slice(0, WINDOWS * WINDOW_TOKENS * TEXT_BYTES_PER_TOKEN);
  const method = `${WINDOWS} windows of ${WINDOW_TOKENS} tokens`;
  return {
    textHash: createHash('sha256').update(method).update('\0').update(text).digest('hex'),
    makeReference: async (server: ScoreServer, signal: AbortSignal): Promise<QualityReference> => ({
      windows: await scoreText(server, text, signal),
    }),
    evaluate: async (server: ScoreServer, reference: unknown, signal: AbortSignal): Promise<QualityFigures> => {
      const known = reference as QualityReference;
      const tokens = await tokenize(server, text, signal);
      const sameTokenizer = known.windows[0]?.tokens.every((token, i) => token === tokens[i]) ?? false;
      const sums = sameTokenizer
        ? await compareWindows(server, known, signal)
        : (await scoreText(server, text, signal)).map((window) => sumWindow(window, null));
      return { ...summarizeWindows(sums), noiseFloor: null };
    },
  };
}
