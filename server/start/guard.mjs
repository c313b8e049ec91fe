import { spawn } from 'node:child_process';

/**
 * Shell text that runs "$@" and does `end` when its stdin closes. The other end of stdin is ours, so nothing outlives
 * this process however it dies: Ctrl-C, SIGTERM or kill -9.
 */
const guard = (end) =>
  `exec 3<&0; "$@" 3<&- </dev/null & p=$!; (trap "" TERM; read _ <&3; ${end}) 2>/dev/null & g=$!; wait $p; c=$?; kill -KILL $g 2>/dev/null; exit $c`;

/** SIGINT to the command alone: PostgreSQL's fast shutdown. */
export const INTERRUPT = guard('kill -INT $p');
/** SIGTERM to the command and all that it started; SIGKILL once the command is gone, at the latest after three seconds. */
export const END_GROUP = guard(
  'kill -TERM 0; for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $p || break; sleep 0.3; done; kill -KILL 0',
);

/** Starts a command under a guard, in a process group of its own. `stdin.end()` ends it as well. */
export const spawnGuarded = (end, command, args, { cwd, env, stdout = 'pipe', stderr = 'pipe' }) =>
  spawn('sh', ['-c', end, 'guard', command, ...args], { cwd, env, detached: true, stdio: ['pipe', stdout, stderr] });
