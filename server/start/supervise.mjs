import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';
import { QUIET } from './run.mjs';
import { PlainError, say } from './say.mjs';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const STOP_MS = 10_000;

/**
 * Keeps named processes running. Each child holds the read end of a pipe as stdin and ends itself when that closes,
 * so none outlives this process, even after kill -9. A child that dies is started again, with growing pauses.
 */
export function createSupervisor() {
  const children = new Map();
  let closing = false;

  function start(name, command, args, env) {
    if (closing) throw new PlainError(`${name} does not start: Inferloom is stopping.`);
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...QUIET, INFERLOOM_PARENT_PIPE: '1', ...env },
      stdio: ['pipe', 'inherit', 'inherit'],
      detached: true,
    });
    const entry = { child, startedAt: Date.now() };
    children.set(name, entry);
    child.once('error', (error) => say(`${name} could not start: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (children.get(name) === entry) children.delete(name);
      if (closing) return;
      const lived = Date.now() - entry.startedAt;
      const pause =
        lived > 30_000 ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, (start.pauses[name] ?? FIRST_PAUSE_MS / 2) * 2);
      start.pauses[name] = pause;
      say(`${name} ended (${signal ?? `exit ${code}`}); starting it again in ${pause / 1000} s`);
      setTimeout(() => !closing && start(name, command, args, env), pause);
    });
    return child;
  }
  start.pauses = {};

  /** SIGTERM to all, in the order given, then SIGKILL after ten seconds. */
  async function stop(names = [...children.keys()]) {
    closing = true;
    for (const name of names) {
      const child = children.get(name)?.child;
      if (!child) continue;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(timer);
    }
  }
  return { start, stop };
}

/** Keeps the embedded database running: the same folder, port and URL after a crash. */
export function superviseDatabase(cluster, child) {
  let closing = false;
  const watch = (running) =>
    running.once('exit', async (code) => {
      if (closing) return;
      say(`The database ended (exit ${code}); starting it again`);
      for (let pause = FIRST_PAUSE_MS; !closing; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
        try {
          return watch(await cluster.start());
        } catch (error) {
          say(`The database did not start: ${error.message}`);
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
    });
  watch(child);
  return {
    stop: async () => {
      closing = true;
      await cluster.stop();
    },
  };
}
