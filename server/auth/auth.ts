import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { systemDb } from '../db/client';
import { readEnv } from '../env';
import { deriveKey } from '../services/keys';

const SESSION_S = 30 * 24 * 3600;
const DAY_S = 24 * 3600;
export const MIN_PASSWORD = 10;

function createAuth() {
  const env = readEnv();
  const baseURL = env.APP_URL ?? `http://localhost:${env.PORT}`;
  return betterAuth({
    appName: 'Inferloom',
    baseURL,
    basePath: '/api/auth',
    secret: deriveKey('sessions').toString('base64url'),
    database: prismaAdapter(systemDb(), { provider: 'postgresql', transaction: true }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: MIN_PASSWORD, maxPasswordLength: 200 },
    session: { expiresIn: SESSION_S, updateAge: DAY_S },
    // Our own door checks Host and Origin, and our own limiter counts.
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin');
      return origin ? [origin] : [];
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'inferloom',
      useSecureCookies: baseURL.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
  });
}

type Auth = ReturnType<typeof createAuth>;
const singletons = globalThis as typeof globalThis & { inferloomAuth?: Auth };

/** Users, sessions and passwords. Made on first use: it needs the database's address and the key file. */
export function getAuth(): Auth {
  singletons.inferloomAuth ??= createAuth();
  return singletons.inferloomAuth;
}
