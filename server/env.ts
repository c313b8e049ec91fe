import { resolve } from 'node:path';
import { z } from 'zod';

const flag = z.enum(['0', '1', 'true', 'false']).transform((v) => v === '1' || v === 'true');

const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Public address, e.g. https://loom.example.com. Required when HOST is not loopback. */
  APP_URL: z.url().optional(),
  DATABASE_URL: z.string().optional(),
  INFERLOOM_DATA_DIR: z.string().default('.data'),
  /** Proxies whose X-Forwarded-For is believed, comma separated. */
  TRUST_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  INFERLOOM_LEASE_MS: z.coerce.number().int().positive().default(15_000),
  INFERLOOM_NO_WORKER: flag.default(false),
});

/** The environment has values that we cannot take; the message names them all. */
export class EnvError extends Error {}

/** What the processes of the server read from their environment, parsed once a call. Throws an EnvError. */
export type Env = z.infer<typeof envSchema>;

export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const parsed = envSchema.safeParse(source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`);
  throw new EnvError(`The environment has faults. ${faults.join('; ')}`);
}

/** Absolute path of the data folder (database, keys, logs, worker files). */
export const dataDir = (env: Env): string => resolve(env.INFERLOOM_DATA_DIR);

/** DATABASE_URL, read late so that `next build` can load route modules without a database. */
export function databaseUrl(source: NodeJS.ProcessEnv = process.env): string {
  const url = readEnv(source).DATABASE_URL;
  if (!url)
    throw new Error('DATABASE_URL is not set. Start through `npm start`, or point it at a PostgreSQL 14 or later.');
  return url;
}
