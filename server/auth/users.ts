import { AppError } from '../errors';
import { getAuth } from './auth';
import { take } from './limits';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** A user with a password, past the closed sign-up. Returns the id. */
export async function createUser(input: NewUser): Promise<string> {
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

/**
 * The account of this e-mail, made where there is none. One that exists is the caller's only with its password.
 * @throws AppError `conflict`, `too-many-requests`
 */
export async function claimUser(input: NewUser): Promise<{ id: string; name: string }> {
  const context = await getAuth().$context;
  const known = await context.internalAdapter.findUserByEmail(input.email.toLowerCase(), { includeAccounts: true });
  if (!known) return { id: await createUser(input), name: input.name };
  const wait = await take('sign-in-account', input.email);
  if (wait !== null) throw new AppError('too-many-requests', `Too many tries. Wait ${wait} s.`);
  const hash = known.accounts.find((account) => account.providerId === 'credential')?.password;
  if (!hash || !(await context.password.verify({ hash, password: input.password }))) {
    throw new AppError('conflict', 'This e-mail address has an account already. Give its password to join with it.');
  }
  return { id: known.user.id, name: known.user.name };
}

/** Sets a new password and ends every session of that person. */
export async function setPassword(userId: string, password: string): Promise<void> {
  const context = await getAuth().$context;
  await context.internalAdapter.updatePassword(userId, await context.password.hash(password));
  await context.internalAdapter.deleteUserSessions(userId);
}
