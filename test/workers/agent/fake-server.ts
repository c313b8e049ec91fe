import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { outcomeDigest } from '@/server/core/run/outcome-digest';
import type { AgentEvent, ClaimedBlock } from '@/server/core/run/protocol';
import * as protocol from '@/server/core/run/protocol';
import type { TrialOutcome } from '@/server/core/run/trial';

class Refusal extends Error {
  constructor(
    message: string,
    readonly details: Record<string, unknown>,
  ) {
    super(message);
  }
}

const refuse = (code: TRPCError['code'], message: string, details: Record<string, unknown>): TRPCError =>
  new TRPCError({ code, message, cause: new Refusal(message, details) });

/** A worker API in memory, over real HTTP, with the real protocol's schemas and refusals. */
export class FakeServer {
  readonly workerId = randomUUID();
  readonly events = new Map<string, AgentEvent[]>();
  readonly finished = new Map<string, TrialOutcome>();
  readonly batches: { bytes: number; atMs: number; events: number }[] = [];
  registrations = 0;
  /** What the last registration said about the host. */
  pausedBecause: string | null = null;
  queue: ClaimedBlock[] = [];
  lost = new Set<string>();
  cancelled = new Set<string>();
  leaseMs = 3000;
  heartbeatMs = 100;
  maxBatchBytes = Number.POSITIVE_INFINITY;
  /** Refuses so many appends with 429. */
  tooMany = 0;
  /** Forgets so many of the events it was given: the next finish is refused. */
  forget = 0;
  /** Answers nothing while true, as a server that restarts. */
  isDown = false;
  acceptedVersion = protocol.PROTOCOL_VERSION;
  private server: http.Server | null = null;
  url = '';

  async listen(): Promise<this> {
    const handler = createHTTPHandler({ router: this.router(), basePath: '/api/worker/', createContext: () => ({}) });
    this.server = http.createServer((req, res) => {
      if (this.isDown) return void req.socket.destroy();
      if (req.headers.authorization !== 'Bearer token') {
        res.writeHead(401, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      const bytes = Number(req.headers['content-length'] ?? 0);
      if (req.url?.includes('append')) {
        if (bytes > this.maxBatchBytes) return void res.writeHead(413).end();
        this.batches.push({ bytes, atMs: performance.now(), events: 0 });
      }
      handler(req, res);
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  bodies(attemptId: string): AgentEvent['body'][] {
    return (this.events.get(attemptId) ?? []).map((e) => e.body);
  }

  private held(attemptId: string): void {
    if (this.lost.has(attemptId)) throw refuse('CONFLICT', 'This attempt is no longer yours.', { problem: 'lost' });
  }

  private router() {
    const t = initTRPC.create({
      errorFormatter: ({ shape, error }) => ({
        ...shape,
        data: { ...shape.data, details: error.cause instanceof Refusal ? error.cause.details : {} },
      }),
    });
    const procedure = t.procedure;
    return t.router({
      register: procedure.input(protocol.registerInput).mutation(({ input }) => {
        this.registrations++;
        this.pausedBecause = input.host.pausedBecause ?? null;
        if (input.protocolVersion !== this.acceptedVersion) {
          throw refuse('BAD_REQUEST', 'Install the same release on both.', { problem: 'protocol' });
        }
        return { workerId: this.workerId, leaseMs: this.leaseMs, heartbeatMs: this.heartbeatMs };
      }),
      claim: procedure.input(protocol.claimInput).mutation(() => this.queue.shift() ?? null),
      heartbeat: procedure.input(protocol.heartbeatInput).mutation(({ input }) => {
        const answer = this.lost.has(input.attemptId)
          ? 'lost'
          : this.cancelled.has(input.attemptId)
            ? 'cancel'
            : 'go-on';
        return { answer, leaseMs: this.leaseMs };
      }),
      append: procedure.input(protocol.appendInput).mutation(({ input }) => this.append(input.attemptId, input.events)),
      finish: procedure.input(protocol.finishInput).mutation(({ input }) => {
        const held = this.events.get(input.attemptId) ?? [];
        this.held(input.attemptId);
        if (held.length < input.lastAgentSeq) return { accepted: false, missingFrom: held.length + 1 };
        if (outcomeDigest(input.outcome) !== input.digest) throw refuse('BAD_REQUEST', 'digest', {});
        this.finished.set(input.trialId, input.outcome);
        return { accepted: true, missingFrom: null };
      }),
    });
  }

  private append(attemptId: string, events: AgentEvent[]): { lastAgentSeq: number } {
    if (this.tooMany-- > 0) throw refuse('TOO_MANY_REQUESTS', 'slower', { problem: 'too-many', retryAfterMs: 20 });
    this.held(attemptId);
    const held = this.events.get(attemptId) ?? [];
    for (const event of events) if (event.agentSeq === held.length + 1) held.push(event);
    const lastAgentSeq = held.length;
    held.splice(held.length - Math.min(this.forget, held.length));
    this.forget = 0;
    this.events.set(attemptId, held);
    return { lastAgentSeq };
  }
}
