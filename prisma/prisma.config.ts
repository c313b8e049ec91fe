import { defineConfig } from 'prisma/config';

// The client connects through the pg adapter; only `prisma migrate` and `prisma db` read this address.
export default defineConfig({
  schema: 'models',
  migrations: { path: 'migrations' },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
