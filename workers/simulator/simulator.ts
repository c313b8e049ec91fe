import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawFault, type Faults, NO_FAULTS } from './faults';
import { SIMULATOR_OWNER } from './owner';
import { answerWords, readRequest, type SimulatedRequest, streamEvent, usageOf } from './simulated-stream';
import type { WriteLogEntry } from './write-log';

export interface SimulatorOptions {
  ttftMs: number;
  itlMs: number;
  /** Requests answered at the same time; the rest wait in order. */
  concurrency: number;
  faults: Faults;
  port: number;
  /** Keep entries in memory, as `log`; a long-running simulator writes them to a file instead. */
  keepLog: boolean;
  onEntry?: (entry: WriteLogEntry) => void;
}

export interface Simulator {
  url: string;
  port: number;
  /** Entries of ended requests, in the order of their end. */
  log: WriteLogEntry[];
  stop(): Promise<void>;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

function json(res: http.ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const refuse = (res: http.ServerResponse, status: number, message: string): void =>
  json(res, status, {
    error: { message, type: status === 429 ? 'overloaded' : 'invalid_request_error', code: status },
  });

async function readBody(req: http.IncomingMessage): Promise<Record<string, unknown> | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Slots in order of arrival. */
class Slots {
  private busy = 0;
  private readonly waiting: (() => void)[] = [];
  constructor(private readonly count: number) {}

  get queued(): number {
    return this.waiting.length;
  }
  get running(): number {
    return this.busy;
  }
  async take(): Promise<void> {
    if (this.busy < this.count) this.busy++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.busy--;
  }
}

class Server {
  readonly log: WriteLogEntry[] = [];
  private readonly slots: Slots;
  private index = 0;
  private tokens = 0;

  constructor(private readonly options: SimulatorOptions) {
    this.slots = new Slots(options.concurrency);
  }

  async handle(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const path = (req.url ?? '').split('?')[0];
    if (req.method === 'GET' && path === '/health') return json(res, 200, { status: 'ok' });
    if (req.method === 'GET' && path === '/v1/models') {
      return json(res, 200, {
        object: 'list',
        data: [{ id: 'simulator', object: 'model', created: 0, owned_by: SIMULATOR_OWNER }],
      });
    }
    if (req.method === 'GET' && path === '/metrics') {
      res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
      return void res.end(this.metrics());
    }
    if (req.method === 'POST' && (path === '/v1/completions' || path === '/v1/chat/completions')) {
      return this.answer(req, res, path.includes('chat'));
    }
    refuse(res, 404, `no such route: ${path}`);
  }

  private metrics(): string {
    const rows: [string, string, number][] = [
      ['simulator_running', 'gauge', this.slots.running],
      ['simulator_waiting', 'gauge', this.slots.queued],
      ['simulator_generated_tokens_total', 'counter', this.tokens],
    ];
    return `${rows.map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}`).join('\n')}\n`;
  }

  private async answer(req: http.IncomingMessage, res: http.ServerResponse, chat: boolean): Promise<void> {
    const receivedNs = process.hrtime.bigint();
    const body = await readBody(req);
    if (body === null) return refuse(res, 400, 'the body is not a JSON object of at most 8 MiB');
    const request = readRequest(body, chat);
    if (typeof request === 'string') return refuse(res, 400, request);
    const index = this.index++;
    const header = req.headers['x-request-id'];
    const entry: WriteLogEntry = {
      requestId: typeof header === 'string' ? header : null,
      index,
      status: 200,
      receivedNs,
      writesNs: [],
      chunkTokens: [],
      endNs: receivedNs,
      promptTokens: request.promptTokens,
      outputTokens: 0,
      fault: drawFault(this.options.faults, index),
    };
    const overloaded = this.slots.running >= this.options.concurrency && this.slots.queued >= this.options.faults.queue;
    if (overloaded || entry.fault === 'shed') entry.status = 429;
    else if (entry.fault === 'error') entry.status = 500;
    if (entry.status === 200) {
      await this.slots.take();
      try {
        await this.stream(res, request, entry);
      } finally {
        this.slots.release();
      }
    } else refuse(res, entry.status, entry.status === 429 ? 'the queue is full' : 'simulated failure');
    entry.endNs = process.hrtime.bigint();
    if (this.options.keepLog) this.log.push(entry);
    this.options.onEntry?.(entry);
  }

  /** Writes chunks at ttft + i × itl after the slot was taken, by absolute times, so that delays don't add up. */
  private async stream(res: http.ServerResponse, request: SimulatedRequest, entry: WriteLogEntry): Promise<void> {
    const { ttftMs, itlMs, faults } = this.options;
    const words = answerWords(entry.index, Math.max(1, request.maxTokens - faults.short));
    const id = `sim-${entry.index}`;
    let startMs = performance.now();
    if (request.stream) res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (let sent = 0; sent < words.length; ) {
      const part = words.slice(sent, sent + faults.bundle);
      if (entry.fault === 'stall' && sent > 0 && sent >= words.length / 2) {
        startMs += faults.stallMs;
        entry.fault = 'stalled';
      }
      await pause(startMs + ttftMs + (sent + part.length - 1) * itlMs - performance.now());
      if (res.closed) return;
      if (entry.fault === 'cut' && sent >= words.length / 2) return void res.destroy();
      if (request.stream) res.write(streamEvent(request, id, part.join(''), null));
      entry.writesNs.push(process.hrtime.bigint());
      entry.chunkTokens.push(part.length);
      sent += part.length;
      entry.outputTokens = sent;
      this.tokens += part.length;
    }
    const usage = usageOf(request.promptTokens, words.length);
    if (!request.stream) return answerWhole(res, request, id, words, usage);
    res.write(streamEvent(request, id, null, 'length'));
    if (request.includeUsage && !faults.noUsage) {
      res.write(`data: ${JSON.stringify({ id, object: 'usage', choices: [], usage })}\n\n`);
    }
    res.end('data: [DONE]\n\n');
  }
}

function answerWhole(
  res: http.ServerResponse,
  request: SimulatedRequest,
  id: string,
  words: string[],
  usage: ReturnType<typeof usageOf>,
): void {
  const content = words.join('');
  const choice = request.chat
    ? { index: 0, message: { role: 'assistant', content }, finish_reason: 'length' }
    : { index: 0, text: content, finish_reason: 'length', logprobs: null };
  const object = request.chat ? 'chat.completion' : 'text_completion';
  json(res, 200, { id, object, created: 0, model: request.model, choices: [choice], usage });
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0) resolve();
    else setTimeout(resolve, ms);
  });

/** Serves the OpenAI API with made-up timings on 127.0.0.1; what is measured on it is stamped SIMULATED. */
export async function startSimulator(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const all = { ttftMs: 50, itlMs: 10, concurrency: 64, faults: NO_FAULTS, port: 0, keepLog: true, ...options };
  const server = new Server(all);
  const listener = http.createServer((req, res) => {
    server.handle(req, res).catch((error: unknown) => {
      if (!res.headersSent) refuse(res, 500, String(error));
      else res.destroy();
    });
  });
  listener.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(all.port, '127.0.0.1', resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log: server.log,
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}
