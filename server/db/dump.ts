import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { z } from 'zod';
import { AppError } from '../errors';

/** A logical dump: gzip of JSON lines. Head, then batches of rows table by table in foreign-key order, then the end. */
const headSchema = z.object({
  format: z.literal('inferloom-backup'),
  version: z.literal(1),
  createdAt: z.string(),
  migrations: z.array(z.string()),
});
const batchSchema = z.object({ table: z.string(), rows: z.array(z.record(z.string(), z.unknown())) });
const endSchema = z.object({ end: z.literal(true), rows: z.number() });
const BATCH_ROWS = 200;

const TABLES = `
  select c.relname as name,
         coalesce(array_agg(distinct f.relname::text) filter (where f.relname is not null and f.oid <> c.oid), '{}') as needs
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
  left join pg_class f on f.oid = k.confrelid
  where c.relkind = 'r' and c.relname <> '_prisma_migrations'
  group by c.relname order by c.relname`;
const MIGRATIONS = 'select migration_name as name from _prisma_migrations where finished_at is not null order by 1';

/** Tables so that each comes after those that its foreign keys point at. Throws on a cycle. */
export function inForeignKeyOrder(tables: readonly { name: string; needs: readonly string[] }[]): string[] {
  const order: string[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const ready = rest.filter((t) => t.needs.every((need) => order.includes(need)));
    if (ready.length === 0) throw new Error(`Foreign keys form a cycle: ${rest.map((t) => t.name).join(', ')}`);
    order.push(...ready.map((t) => t.name));
    rest = rest.filter((t) => !ready.includes(t));
  }
  return order;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
const names = async (client: pg.Client, sql: string) =>
  (await client.query<{ name: string }>(sql)).rows.map((row) => row.name);
const tablesOf = async (client: pg.Client) =>
  inForeignKeyOrder((await client.query<{ name: string; needs: string[] }>(TABLES)).rows);

async function* lines(client: pg.Client): AsyncGenerator<string> {
  const head = {
    format: 'inferloom-backup',
    version: 1,
    createdAt: new Date().toISOString(),
    migrations: await names(client, MIGRATIONS),
  };
  yield `${JSON.stringify(head)}\n`;
  let count = 0;
  for (const table of await tablesOf(client)) {
    await client.query(
      `declare dump no scroll cursor for select row_to_json(t)::text as row from ${pg.escapeIdentifier(table)} t`,
    );
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${BATCH_ROWS} from dump`);
      if (rows.length === 0) break;
      count += rows.length;
      yield `{"table":${JSON.stringify(table)},"rows":[${rows.map((r) => r.row).join(',')}]}\n`;
    }
    await client.query('close dump');
  }
  yield `${JSON.stringify({ end: true, rows: count })}\n`;
}

/** Writes all rows, as of one instant, to `file`; it appears under its name only when it is whole. Returns nothing else. */
export async function backup(url: string, file: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query('begin isolation level repeatable read read only');
    await pipeline(Readable.from(lines(client)), createGzip(), createWriteStream(`${file}.part`, { mode: 0o600 }));
    await client.query('commit');
  } finally {
    await client.end();
  }
  await rename(`${file}.part`, file);
}

/**
 * Reads a dump into a migrated, empty database, in one transaction. Refuses (AppError) a file of another kind or
 * schema, a cut file, and a database that already holds rows.
 */
export async function restore(url: string, file: string): Promise<{ rows: number }> {
  const client = await connect(url);
  try {
    await client.query('begin');
    await assertEmpty(client);
    const rows = await readInto(client, file);
    await client.query('commit');
    return { rows };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

async function assertEmpty(client: pg.Client): Promise<void> {
  for (const table of await tablesOf(client)) {
    const { rowCount } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`);
    if (rowCount)
      throw new AppError(
        'conflict',
        `The database already holds rows (table ${table}). Restore into a new data folder: INFERLOOM_DATA_DIR=… npx inferloom restore FILE.`,
      );
  }
}

async function readInto(client: pg.Client, file: string): Promise<number> {
  const input = createInterface({
    input: createReadStream(file).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const known = new Set(await tablesOf(client));
  let seenHead = false;
  let count = 0;
  for await (const line of input) {
    const value: unknown = JSON.parse(line);
    if (!seenHead) {
      await checkHead(client, value, file);
      seenHead = true;
      continue;
    }
    const end = endSchema.safeParse(value);
    if (end.success) {
      if (end.data.rows !== count)
        throw new AppError('bad-request', `${file} says ${end.data.rows} rows but holds ${count}.`);
      return count;
    }
    const { table, rows } = batchSchema.parse(value);
    if (!known.has(table))
      throw new AppError('bad-request', `${file} holds a table that this version does not know: ${table}.`);
    const name = pg.escapeIdentifier(table);
    await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`, [
      JSON.stringify(rows),
    ]);
    count += rows.length;
  }
  throw new AppError('bad-request', `${file} is cut: its last line is missing. Nothing was restored.`);
}

async function checkHead(client: pg.Client, value: unknown, file: string): Promise<void> {
  const head = headSchema.safeParse(value);
  if (!head.success) throw new AppError('bad-request', `${file} is not a backup of Inferloom.`);
  const here = await names(client, MIGRATIONS);
  if (JSON.stringify(here) !== JSON.stringify(head.data.migrations))
    throw new AppError(
      'bad-request',
      `${file} was written with another schema (${head.data.migrations.at(-1) ?? 'none'}; this version has ${here.at(-1) ?? 'none'}). Restore with the Inferloom that wrote it, then upgrade.`,
    );
}
