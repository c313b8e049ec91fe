import pino, { type Logger } from 'pino';

/** Keys whose values never reach a log. */
const REDACTED = [
  'password',
  'token',
  'apiKey',
  'authorization',
  'cookie',
  'secret',
  'secrets',
  '*.password',
  '*.token',
  '*.apiKey',
  '*.authorization',
  '*.cookie',
  '*.secret',
  '*.secrets',
];

/** Structured logger of a process; child loggers carry request, team and attempt ids. */
export const log: Logger = pino({
  level: process.env.LOG_LEVEL ?? 'info',
  base: { pid: process.pid },
  redact: { paths: REDACTED, censor: '[redacted]' },
});
