import pg from 'pg';
import { z } from 'zod';
import { databaseUrl } from '../env';
import { log } from '../log';
import { CHANNEL, type Nudge, TOPICS } from './nudges';

const messageSchema = z.union([
  z.object({ stream: z.string() }),
  z.object({ team: z.string(), topic: z.enum(TOPICS), id: z.string().nullable() }),
]);

export interface ListenerEvents {
  onStream(streamId: string): void;
  onNudge(teamId: string, nudge: Nudge): void;
  /** Notifications may have been missed: read everything again. */
  onConnect(): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const PROBE_MS = 30_000;

/** The process's one LISTEN connection. It reconnects for ever; a notification carries ids only. */
export function startListener(events: ListenerEvents): { stop(): Promise<void> } {
  const state: { client: pg.Client | null; stopped: boolean; pauseMs: number } = {
    client: null,
    stopped: false,
    pauseMs: FIRST_PAUSE_MS,
  };
  void connect(state, events);
  return {
    stop: async () => {
      state.stopped = true;
      await state.client?.end().catch(() => {});
    },
  };
}

type State = { client: pg.Client | null; stopped: boolean; pauseMs: number };

async function connect(state: State, events: ListenerEvents): Promise<void> {
  if (state.stopped) return;
  const client = new pg.Client({
    connectionString: databaseUrl(),
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  state.client = client;
  let probe: NodeJS.Timeout | null = null;
  let gone = false;
  const lose = (error: unknown): void => {
    if (gone) return;
    gone = true;
    if (probe) clearInterval(probe);
    void client.end().catch(() => {});
    if (state.stopped) return;
    log.warn({ err: error, pauseMs: state.pauseMs }, 'the connection that listens for changes was lost');
    setTimeout(() => void connect(state, events), state.pauseMs).unref();
    state.pauseMs = Math.min(LONGEST_PAUSE_MS, state.pauseMs * 2);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection ended')));
  client.on('notification', (message) => dispatch(message.payload ?? '', events));
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (error) {
    lose(error);
    return;
  }
  state.pauseMs = FIRST_PAUSE_MS;
  // A peer that vanished without a word is noticed by a question that nobody answers.
  probe = setInterval(() => client.query('SELECT 1').catch(lose), PROBE_MS);
  probe.unref();
  events.onConnect();
}

function dispatch(payload: string, events: ListenerEvents): void {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    value = null;
  }
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success) {
    log.warn({ payload }, 'a notification on our channel is not one of ours');
    return;
  }
  if ('stream' in parsed.data) events.onStream(parsed.data.stream);
  else events.onNudge(parsed.data.team, { topic: parsed.data.topic, id: parsed.data.id });
}
