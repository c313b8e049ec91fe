import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second in /proc/…/stat; 100 on every Linux that Node runs on (USER_HZ is fixed in its ABI). */
const TICKS_PER_S = 100;
const PAGE_BYTES = 4096;

/** One line of /proc/PID/stat, as far as we read it. CPU times are ms and hold reaped children apart. */
export interface ProcessStat {
  pid: number;
  parentPid: number;
  group: number;
  session: number;
  state: string;
  cpuMs: number;
  reapedChildrenCpuMs: number;
  /** Ticks since boot: with the pid it names a process for good. */
  startTicks: number;
  rssBytes: number;
}

/** Parses /proc/PID/stat; the command in parentheses may hold blanks and parentheses itself (proc(5)). */
export function parseProcessStat(text: string): ProcessStat | null {
  const close = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  if (close < 0 || !Number.isInteger(pid)) return null;
  const fields = text.slice(close + 2).split(' ');
  // Field numbers of proc(5) start at 1 with the pid; state is field 3 and the first one after the command.
  const field = (number: number): number => Number(fields[number - 3] ?? Number.NaN);
  const toMs = (ticks: number): number => (ticks * 1000) / TICKS_PER_S;
  return {
    pid,
    parentPid: field(4),
    group: field(5),
    session: field(6),
    state: fields[0] ?? '?',
    cpuMs: toMs(field(14) + field(15)),
    reapedChildrenCpuMs: toMs(field(16) + field(17)),
    startTicks: field(22),
    rssBytes: field(24) * PAGE_BYTES,
  };
}

/** Null where the process is gone or the system has no /proc. */
export async function readProcess(pid: number): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text === null ? null : parseProcessStat(text);
}

/** All processes that can be seen; empty on a system without /proc. */
export async function readAllProcesses(): Promise<ProcessStat[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(readProcess));
  return stats.filter((stat) => stat !== null);
}

/** The process and everything below it. */
export function descendants(all: readonly ProcessStat[], rootPid: number): ProcessStat[] {
  const inTree = new Set([rootPid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const stat of all) {
      if (!inTree.has(stat.pid) && inTree.has(stat.parentPid)) {
        inTree.add(stat.pid);
        grown = true;
      }
    }
  }
  return all.filter((stat) => inTree.has(stat.pid));
}

/** CPU times of the whole host since boot, in ms over all cores. */
export interface HostCpu {
  busyMs: number;
  stealMs: number;
  totalMs: number;
}

/** First line of /proc/stat: user nice system idle iowait irq softirq steal … (guest is inside user already). */
export function parseHostCpu(text: string): HostCpu | null {
  const line = text.split('\n').find((l) => l.startsWith('cpu '));
  const ticks = line?.trim().split(/\s+/).slice(1, 9).map(Number);
  if (ticks?.length !== 8 || ticks.some((n) => !Number.isFinite(n))) return null;
  const [user, nice, system, idle, iowait, irq, softirq, steal] = ticks as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const busy = user + nice + system + irq + softirq;
  const toMs = (n: number): number => (n * 1000) / TICKS_PER_S;
  return { busyMs: toMs(busy), stealMs: toMs(steal), totalMs: toMs(busy + idle + iowait + steal) };
}

export async function readHostCpu(): Promise<HostCpu | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => null);
  return text === null ? null : parseHostCpu(text);
}

/** Proportional set size of one process in bytes; null where the kernel does not tell. Walks its page tables. */
export async function readPssBytes(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => null);
  const kb = /^Pss:\s+(\d+) kB/m.exec(text ?? '')?.[1];
  return kb === undefined ? null : Number(kb) * 1024;
}

/** Identity of this boot: pids and start ticks mean nothing beyond it. */
export async function readBootId(): Promise<string | null> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null);
  return text?.trim() ?? null;
}
