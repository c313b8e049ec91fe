import { z } from 'zod';
import { readEnv } from '../env';
import { isAppError } from '../errors';
import { log } from '../log';
import { spendOwnerLink } from '../services/owner-link';
import { getAuth, MIN_PASSWORD } from './auth';
import { take } from './limits';
import { admitRequest, CLIENT_IP_HEADER, refuse } from './trust';

/** What better-auth may answer: everything else goes through services, where roles and the audit are. */
const ALLOWED: Record<string, readonly string[]> = {
  '/api/auth/sign-in/email': ['POST'],
  '/api/auth/sign-out': ['POST'],
  '/api/auth/get-session': ['GET'],
  '/api/auth/change-password': ['POST'],
};

const addressOf = (request: Request): string => request.headers.get(CLIENT_IP_HEADER) ?? 'unknown';

const tooMany = (seconds: number): Response =>
  refuse(
    { status: 429, code: 'too-many-requests', message: `Too many tries. Wait ${seconds} s.` },
    { 'retry-after': String(seconds) },
  );

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

const ownerInput = z.object({
  token: z.string().min(1).max(200),
  email: z.email().max(200),
  name: z.string().trim().min(1).max(100),
  password: z.string().min(MIN_PASSWORD).max(200),
});

/** Spends the owner link: makes the first user, owner of the team. Answers with a session. */
export async function handleOwner(request: Request): Promise<Response> {
  const refusal = admitRequest(request, readEnv());
  if (refusal) return refuse(refusal);
  const wait = await take('owner-ip', addressOf(request));
  if (wait !== null) return tooMany(wait);
  const body: unknown = await request.json().catch(() => null);
  const input = ownerInput.safeParse(body);
  if (!input.success) {
    const issue = input.error.issues[0];
    const message = `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'not understood'}`;
    return refuse({ status: 400, code: 'bad-request', message });
  }
  try {
    await spendOwnerLink(input.data, createUser);
  } catch (error) {
    if (!isAppError(error)) {
      log.error({ err: error }, 'the owner link could not be spent');
      return refuse({ status: 500, code: 'internal', message: 'Something went wrong on the server.' });
    }
    return refuse({ status: error.code === 'conflict' ? 409 : 410, code: error.code, message: error.message });
  }
  const { email, password } = input.data;
  const { headers } = await getAuth().api.signInEmail({ body: { email, password }, returnHeaders: true });
  const answer = new Headers();
  for (const cookie of headers.getSetCookie()) answer.append('set-cookie', cookie);
  return Response.json({ ok: true }, { headers: answer });
}

/** A user with a password, past the closed sign-up. */
async function createUser(input: { email: string; name: string; password: string }): Promise<string> {
  const context = await getAuth().$context;
  const password = await context.password.hash(input.password);
  const user = await context.internalAdapter.createUser(
    { email: input.email.toLowerCase(), name: input.name, emailVerified: true },
    { method: 'email-password' },
  );
  await context.internalAdapter.linkAccount({
    userId: user.id,
    providerId: 'credential',
    accountId: user.id,
    password,
  });
  return user.id;
}
