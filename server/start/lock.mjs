import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Start time of a process in clock ticks (Linux), so that a reused pid is not taken for its predecessor. */
function startTime(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[19];
  } catch {
    return null;
  }
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The holder of a lock file, or null when nobody (or a dead process) holds it. */
export function holder(file) {
  try {
    const held = JSON.parse(readFileSync(file, 'utf8'));
    return alive(held.pid) && startTime(held.pid) === held.startTime ? held : null;
  } catch {
    return null;
  }
}

/** Gives `mine` the name `file` unless that is taken: the file appears whole or not at all. */
function linked(mine, file) {
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead process's lock away; a living one that came in between is put back. */
function clearStale(file) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (holder(aside)) linked(aside, file);
  rmSync(aside);
}

/**
 * Takes `file` for this process with some notes for whoever finds it held.
 * Returns `{ release }`, or `{ heldBy }` with the holder's notes.
 */
export function takeLock(file, notes = {}) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const mine = `${file}.${randomUUID()}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, startTime: startTime(process.pid), ...notes }), {
    mode: 0o600,
  });
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (linked(mine, file)) return { release: () => rmSync(file, { force: true }) };
      const held = holder(file);
      if (held) return { heldBy: held };
      clearStale(file);
    }
    return { heldBy: holder(file) ?? { pid: 0 } };
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Waits for a lock, at most `seconds`. */
export async function waitForLock(file, seconds) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const lock = takeLock(file);
    if (lock.release || Date.now() > end) return lock;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
