export type Posted = { ok: true } | { ok: false; message: string };

/** `message`, `error` as text, or `error.message`: better-auth and our own routes differ. */
const messageOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null) return null;
  for (const key of ['message', 'error'] as const) {
    const value = (body as Record<string, unknown>)[key];
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null) return messageOf(value);
  }
  return null;
};

/** POSTs JSON to this server; a refusal gives the server's own sentence. */
export async function postJson(path: string, body: unknown): Promise<Posted> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return { ok: true };
    const answer: unknown = await response.json().catch(() => null);
    if (response.status === 429) return { ok: false, message: 'Too many tries. Wait a minute, then try again.' };
    return { ok: false, message: messageOf(answer) ?? `The server answered ${response.status}.` };
  } catch {
    return { ok: false, message: 'The server cannot be reached. Check that it runs, then try again.' };
  }
}

/** Only paths of this site may be returned to. */
export const safeNext = (next: string | null): string =>
  next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/pipelines';
