import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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

/**
 * Takes `file` for this process with some notes for whoever finds it held.
 * Returns `{ release }`, or `{ heldBy }` with the holder's notes.
 */
export function takeLock(file, notes = {}) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const fd = openSync(file, 'wx', 0o600);
      writeSync(fd, JSON.stringify({ pid: process.pid, startTime: startTime(process.pid), ...notes }));
      closeSync(fd);
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const held = holder(file);
      if (held) return { heldBy: held };
      rmSync(file, { force: true });
    }
  }
  return { heldBy: holder(file) ?? { pid: 0 } };
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
