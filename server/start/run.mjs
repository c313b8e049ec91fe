import { END_GROUP, spawnGuarded } from './guard.mjs';
import { ROOT } from './paths.mjs';
import { PlainError } from './say.mjs';

/** Environment of every child: no telemetry, no update notices, no downloads behind our back. */
export const QUIET = {
  NEXT_TELEMETRY_DISABLED: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  NODE_LLAMA_CPP_SKIP_DOWNLOAD: 'true',
};

/**
 * Runs a command to its end; its output goes to stderr only when it fails (or `show`). Ends with this process, and all
 * that it started too. Throws a sentence on failure: the command's own where it is a program of ours that said one.
 */
export function run(command, args, { env = {}, show = false, what = `${command} ${args[0] ?? ''}` } = {}) {
  return new Promise((resolve, reject) => {
    const stream = show ? 2 : 'pipe';
    const child = spawnGuarded(END_GROUP, command, args, {
      cwd: ROOT,
      env: { ...process.env, ...QUIET, ...env },
      stdout: stream,
      stderr: stream,
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (error) => reject(new PlainError(`${what} could not start: ${error.message}.`)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const sentence = /^inferloom: (.*)$/m.exec(output)?.[1];
      if (sentence) return reject(new PlainError(sentence));
      process.stderr.write(output);
      reject(new PlainError(`${what} failed (${signal ?? `exit ${code}`})${output ? '; its output is above' : ''}.`));
    });
  });
}

/** Path of a package's command in node_modules, started with this very Node. */
export const node = (script, args, options) => run(process.execPath, [script, ...args], options);
