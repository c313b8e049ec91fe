import type { ScoredWindow } from '@/server/core/quality/logprobs';

/** A server that scores texts: the embedded engine's `/inferloom/score` and llama.cpp's `/tokenize`. */
export interface ScoreServer {
  url: string;
  apiKey: string | null;
}

/** The server refused: `status` and, where it gives one, its own code. */
export class ScoreRefused extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}

async function post(server: ScoreServer, path: string, body: unknown, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (server.apiKey !== null) headers.authorization = `Bearer ${server.apiKey}`;
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (response.ok) return response;
  if (response.status === 404) throw new ScoreRefused(404, null, 'this engine gives no log-probabilities of a text');
  const text = await response.text();
  let code: string | null = null;
  try {
    code = (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? null;
  } catch {
    // A proxy's page is no JSON: its status says enough.
  }
  throw new ScoreRefused(response.status, code, `scoring failed with HTTP ${response.status}: ${text.slice(0, 200)}`);
}

/** Token ids of a text by the server's own tokenizer, without special tokens. */
export async function tokenize(server: ScoreServer, text: string, signal: AbortSignal): Promise<number[]> {
  const response = await post(server, '/tokenize', { content: text, add_special: false }, signal);
  const { tokens } = (await response.json()) as { tokens?: unknown };
  if (!Array.isArray(tokens) || !tokens.every(Number.isInteger)) {
    throw new ScoreRefused(200, null, 'the engine tokenizes into something that is no list of ids');
  }
  return tokens as number[];
}

/** Log-probabilities of the whole vocabulary after each token but the last. */
export async function scoreTokens(server: ScoreServer, tokens: number[], signal: AbortSignal): Promise<ScoredWindow> {
  const response = await post(server, '/inferloom/score', { tokens }, signal);
  const vocabulary = Number(response.headers.get('x-vocab'));
  const bytes = await response.arrayBuffer();
  if (!(vocabulary > 0) || bytes.byteLength !== (tokens.length - 1) * vocabulary * 4) {
    throw new ScoreRefused(200, null, `${bytes.byteLength} bytes of scores for ${tokens.length} tokens`);
  }
  const view = new DataView(bytes);
  const rows = new Float32Array(bytes.byteLength / 4);
  for (let i = 0; i < rows.length; i++) rows[i] = view.getFloat32(i * 4, true);
  return { tokens, vocabulary, rows };
}
