import { getAuth } from './auth';

export interface SessionUser {
  id: string;
  name: string;
  email: string;
}

/** The person behind the session cookie, or null. */
export async function readSession(headers: Headers): Promise<SessionUser | null> {
  if (!headers.get('cookie')) return null;
  const session = await getAuth().api.getSession({ headers });
  return session ? { id: session.user.id, name: session.user.name, email: session.user.email } : null;
}

/** Ends the session of this cookie. Returns the Set-Cookie headers that clear it. */
export async function signOut(headers: Headers): Promise<string[]> {
  if (!headers.get('cookie')) return [];
  const { headers: answer } = await getAuth().api.signOut({ headers, returnHeaders: true });
  return answer.getSetCookie();
}
