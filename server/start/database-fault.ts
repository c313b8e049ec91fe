import { MigrationError } from '../db/migrate';

/** SQLSTATE classes and codes of a database that turns us away: authorization, no such database, connection, shutdown. */
const TURNED_AWAY = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI|ETIMEDOUT|EPIPE|28|3D|08|57P|53300)/;
const OLDEST_POSTGRES = 140_000;

/** Sentence about a database that cannot be reached or used, or null for any other error. */
export function databaseFault(error: unknown): string | null {
  if (error instanceof MigrationError) return error.message;
  const code = (error as { code?: string } | null)?.code ?? '';
  const reason = reasonOf(error);
  if (code === '42501')
    return `The role of DATABASE_URL may not make tables there (${reason}). Make it the owner of its database.`;
  if (TURNED_AWAY.test(code) || /timeout|Connection terminated|does not support SSL/.test(reason))
    return `The database does not take us in (${code || 'no answer'}): ${reason}. Check DATABASE_URL: the address, the name of the database and the password.`;
  return null;
}

/** Node gathers the failed tries of a name with several addresses in one error without a text. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Sentence about a server that is too old or has another encoding; null for one that will do. */
export function serverFault(server: { versionNumber: number; version: string; encoding: string }): string | null {
  if (server.versionNumber < OLDEST_POSTGRES)
    return `The database is PostgreSQL ${server.version}; version 14 or later is needed.`;
  if (server.encoding !== 'UTF8')
    return `The database is encoded in ${server.encoding}; make one with ENCODING 'UTF8' TEMPLATE template0.`;
  return null;
}
