import { z } from 'zod';
import { readEnv } from '../env';
import { type AppErrorCode, isAppError } from '../errors';
import { log } from '../log';
import { spendInvitation } from '../services/invitations';
import { spendOwnerLink } from '../services/owner-link';
import { spendResetLink } from '../services/password-resets';
import { getAuth, MIN_PASSWORD } from './auth';
import { type Limit, take } from './limits';
import { addressOf, admitRequest, refuse, tooMany } from './trust';
import { claimUser, createUser, setPassword } from './users';

const token = z.string().min(1).max(200);
const password = z.string().min(MIN_PASSWORD).max(200);
const accountInput = z.object({
  token,
  email: z.email().max(200),
  name: z.string().trim().min(1).max(100),
  password,
});
const resetInput = z.object({ token, password });

/** Spends the owner link: makes the first user, owner of the team. Answers with a session. */
export const handleOwner = (request: Request): Promise<Response> =>
  spendBy(request, 'owner-ip', accountInput, async (input) => {
    await spendOwnerLink(input, createUser);
    return signIn(input);
  });

/** Spends an invitation: makes the account or takes the one there is, a member of the team. Answers with a session. */
export const handleJoin = (request: Request): Promise<Response> =>
  spendBy(request, 'link-ip', accountInput, async (input) => {
    await spendInvitation(input, claimUser);
    return signIn(input);
  });

/** Spends a reset link: the new password holds and every session of that person has ended. */
export const handleReset = (request: Request): Promise<Response> =>
  spendBy(request, 'link-ip', resetInput, async (input) => {
    await spendResetLink(input, setPassword);
    return Response.json({ ok: true });
  });

/** What the three have in common: the door, the limit, the input, and refusals as sentences. */
async function spendBy<T>(
  request: Request,
  limit: Limit,
  schema: z.ZodType<T>,
  spend: (input: T) => Promise<Response>,
): Promise<Response> {
  const refusal = admitRequest(request, readEnv());
  if (refusal) return refuse(refusal);
  const wait = await take(limit, addressOf(request));
  if (wait !== null) return tooMany(wait);
  const body: unknown = await request.json().catch(() => null);
  const input = schema.safeParse(body);
  if (!input.success) {
    const issue = input.error.issues[0];
    const message = `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'not understood'}`;
    return refuse({ status: 400, code: 'bad-request', message });
  }
  try {
    return await spend(input.data);
  } catch (error) {
    if (isAppError(error)) return refuse({ status: statusOf(error.code), code: error.code, message: error.message });
    log.error({ err: error }, 'a one-time link could not be spent');
    return refuse({ status: 500, code: 'internal', message: 'Something went wrong on the server.' });
  }
}

const statusOf = (code: AppErrorCode): number => (code === 'conflict' ? 409 : code === 'too-many-requests' ? 429 : 410);

async function signIn({ email, password }: { email: string; password: string }): Promise<Response> {
  const { headers } = await getAuth().api.signInEmail({ body: { email, password }, returnHeaders: true });
  const answer = new Headers();
  for (const cookie of headers.getSetCookie()) answer.append('set-cookie', cookie);
  return Response.json({ ok: true }, { headers: answer });
}
