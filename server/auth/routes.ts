import { z } from 'zod';
import { readEnv } from '../env';
import { getAuth } from './auth';
import { take } from './limits';
import { addressOf, admitRequest, refuse, tooMany } from './trust';

/** What better-auth may answer: everything else goes through services, where roles and the audit are. */
const ALLOWED: Record<string, readonly string[]> = {
  '/api/auth/sign-in/email': ['POST'],
  '/api/auth/sign-out': ['POST'],
  '/api/auth/get-session': ['GET'],
  '/api/auth/change-password': ['POST'],
};

/** Sign-in, sign-out, session and change of password; other paths of better-auth do not exist here. */
export async function handleAuth(request: Request): Promise<Response> {
  const refusal = admitRequest(request, readEnv());
  if (refusal) return refuse(refusal);
  const { pathname } = new URL(request.url);
  if (!ALLOWED[pathname]?.includes(request.method)) {
    return refuse({ status: 404, code: 'not-found', message: 'No such path.' });
  }
  if (pathname === '/api/auth/sign-in/email') {
    const wait = await takeSignIn(request.clone());
    if (wait !== null) return tooMany(wait);
  }
  return getAuth().handler(request);
}

async function takeSignIn(request: Request): Promise<number | null> {
  const byAddress = await take('sign-in-ip', addressOf(request));
  if (byAddress !== null) return byAddress;
  const body: unknown = await request.json().catch(() => null);
  const account = z.object({ email: z.string() }).safeParse(body);
  return account.success ? take('sign-in-account', account.data.email) : null;
}
