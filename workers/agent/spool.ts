import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { type AgentEvent, type AgentEventBody, MAX_BATCH_BYTES } from '@/server/core/run/protocol';
import {
  type FinishRecord,
  readSpool,
  type SpoolContent,
  type SpooledEvent,
  safeName,
  syncFolder,
  writeDurably,
} from './spool-files';

/** Bytes of events that a trial may spool; beyond, what can be missed (seconds, log lines, records) is dropped. */
const MAX_TRIAL_BYTES = 8 * 1024 * 1024;
/** Room in a batch for its envelope. */
const ENVELOPE_BYTES = 4096;
const DROPPABLE: ReadonlySet<AgentEventBody['kind']> = new Set(['second', 'log', 'records']);

/** Opens the spool of one attempt; events and finishes of an earlier process are read back. */
export async function openSpool(folder: string, maxTrialBytes = MAX_TRIAL_BYTES): Promise<Spool> {
  await mkdir(folder, { recursive: true });
  return new Spool(folder, await readSpool(folder), maxTrialBytes);
}

/** Removes an attempt's folder once the server holds all of it, or wants none of it. */
export const removeSpool = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** Events and finishes of one attempt, on the disk before they are sent: a folder for each of its trials. */
export class Spool {
  private readonly durable: SpooledEvent[];
  private queued: SpooledEvent[] = [];
  private writing: Promise<void> = Promise.resolve();
  private readonly files = new Map<string, FileHandle>();
  private highestSeq: number;
  private droppedEvents = 0;

  constructor(
    private readonly folder: string,
    private readonly content: SpoolContent,
    private readonly maxTrialBytes: number,
  ) {
    this.durable = content.events;
    this.highestSeq = content.events.at(-1)?.event.agentSeq ?? 0;
  }

  /** Numbers an event and queues it for the disk; null where it was dropped because the trial's spool is full. */
  add(trialId: string, atMs: number, body: AgentEventBody): AgentEvent | null {
    const event: AgentEvent = { agentSeq: this.highestSeq + 1, trialId, atMs, body };
    const line = `${JSON.stringify(event)}\n`;
    const bytes = Buffer.byteLength(line);
    const used = this.content.bytesByTrial.get(trialId) ?? 0;
    const isOver = used + bytes > this.maxTrialBytes && DROPPABLE.has(body.kind);
    if (isOver || bytes > MAX_BATCH_BYTES - ENVELOPE_BYTES) {
      this.droppedEvents++;
      return null;
    }
    this.content.bytesByTrial.set(trialId, used + bytes);
    this.highestSeq = event.agentSeq;
    this.queued.push({ event, line, bytes });
    return event;
  }

  /** Settles when all that was added is on the disk. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** Durable events above `afterSeq`, oldest first, as many as fit into `maxBytes` (at least one). */
  durableAfter(afterSeq: number, maxBytes: number): AgentEvent[] {
    const batch: AgentEvent[] = [];
    let bytes = 0;
    for (const item of this.durable) {
      if (item.event.agentSeq <= afterSeq) continue;
      bytes += item.bytes;
      if (batch.length > 0 && bytes > maxBytes - ENVELOPE_BYTES) break;
      batch.push(item.event);
    }
    return batch;
  }

  lastSeq(): number {
    return this.highestSeq;
  }

  /** Events that were dropped since the spool was opened. */
  dropped(): number {
    return this.droppedEvents;
  }

  /** Forgets, in memory, what the server holds; the files go with the attempt. */
  acknowledge(seq: number): void {
    const keepFrom = this.durable.findIndex((item) => item.event.agentSeq > seq);
    this.durable.splice(0, keepFrom < 0 ? this.durable.length : keepFrom);
  }

  /** Brings back from the disk what was acknowledged: the server turned out not to hold it. */
  async recall(): Promise<void> {
    await this.flush();
    const { events } = await readSpool(this.folder);
    this.durable.splice(0, this.durable.length, ...events);
  }

  /** Keeps how a trial ended until the server has accepted it. */
  async saveFinish(record: FinishRecord): Promise<void> {
    const trialFolder = path.join(this.folder, safeName(record.trialId));
    await mkdir(trialFolder, { recursive: true });
    await writeDurably(path.join(trialFolder, 'finish.json'), JSON.stringify(record));
    this.content.finishes.set(record.trialId, record);
  }

  /** Finishes that the server has not accepted yet, in order of their last event. */
  openFinishes(): FinishRecord[] {
    return [...this.content.finishes.values()].sort((a, b) => a.lastAgentSeq - b.lastAgentSeq);
  }

  async markFinished(trialId: string): Promise<void> {
    this.content.finishes.delete(trialId);
    await writeDurably(path.join(this.folder, safeName(trialId), 'finished'), '');
  }

  async close(): Promise<void> {
    await this.writing.catch(() => {});
    for (const file of this.files.values()) await file.close();
    this.files.clear();
  }

  /** One write and one fdatasync for each run of events of one trial: a torn tail never leaves a gap before it. */
  private async write(): Promise<void> {
    for (let first = this.queued[0]; first !== undefined; first = this.queued[0]) {
      const trialId = first.event.trialId;
      const stop = this.queued.findIndex((item) => item.event.trialId !== trialId);
      const run = this.queued.splice(0, stop < 0 ? this.queued.length : stop);
      const file = await this.fileOf(trialId);
      await file.appendFile(run.map((item) => item.line).join(''));
      await file.datasync();
      this.durable.push(...run);
    }
  }

  private async fileOf(trialId: string): Promise<FileHandle> {
    const known = this.files.get(trialId);
    if (known !== undefined) return known;
    const trialFolder = path.join(this.folder, safeName(trialId));
    await mkdir(trialFolder, { recursive: true });
    const file = await open(path.join(trialFolder, 'events.jsonl'), 'a', 0o600);
    await syncFolder(trialFolder);
    this.files.set(trialId, file);
    return file;
  }
}
