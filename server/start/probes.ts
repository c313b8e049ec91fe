import type { IncomingMessage, ServerResponse } from 'node:http';
import pg from 'pg';
import { databaseUrl, type Env } from '../env';

const READY_TIMEOUT_MS = 2000;

/** Whether the database answers now; never throws. */
async function databaseAnswers(): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl(),
    connectionTimeoutMillis: READY_TIMEOUT_MS,
    query_timeout: READY_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Answers /healthz (the process lives) and /readyz (it can serve: database there, not draining). Returns whether it did. */
export async function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  state: { env: Env; draining: boolean },
): Promise<boolean> {
  const path = request.url?.split('?')[0];
  if (path === '/healthz') return reply(response, 200, { status: 'ok' });
  if (path !== '/readyz') return false;
  if (state.draining) return reply(response, 503, { status: 'draining' });
  const ready = await databaseAnswers();
  return reply(response, ready ? 200 : 503, { status: ready ? 'ready' : 'database does not answer' });
}

function reply(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
  return true;
}
