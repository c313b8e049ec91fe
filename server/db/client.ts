import { PrismaPg } from '@prisma/adapter-pg';
import { databaseUrl } from '../env';
import { PrismaClient } from './generated/client';

const POOL_CONNECTIONS = 10;

/** Module state is not shared between Next's bundles, so the process's one client sits on globalThis. */
const singletons = globalThis as typeof globalThis & { inferloomPrisma?: PrismaClient };

/** The process's database client, made on first use. For sign-in, bootstrap and jobs; services get `teamDb`. */
export function systemDb(): PrismaClient {
  singletons.inferloomPrisma ??= new PrismaClient({
    adapter: new PrismaPg({ connectionString: databaseUrl(), max: POOL_CONNECTIONS, connectionTimeoutMillis: 10_000 }),
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  });
  return singletons.inferloomPrisma;
}

/** Closes the pool; the next `systemDb()` opens a new one. */
export async function closeDb(): Promise<void> {
  const client = singletons.inferloomPrisma;
  singletons.inferloomPrisma = undefined;
  await client?.$disconnect();
}
