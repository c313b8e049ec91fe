import { createServer } from 'node:net';

/** A port of the loopback interface that is free right now. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('the system gave no port')),
      );
    });
  });
}

const POLL_MS = 50;
const REQUEST_TIMEOUT_MS = 2000;

/** Whether the engine answers its health path with 2xx; 503 (still loading) and a closed port are a plain no. */
export async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Waits until the engine is healthy: 'healthy', or why not. Throws the signal's reason when aborted. */
export async function waitUntilHealthy(
  url: string,
  exited: Promise<unknown>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'healthy' | 'exited' | 'timeout'> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    if (hasExited) return 'exited';
    if (await isHealthy(url, signal)) return 'healthy';
    if (performance.now() > deadline) return 'timeout';
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
