import type { Actor } from '../services/scope';

/** Who calls: a signed-in person or an API key, in one team. A worker token is never a caller here. */
export interface Caller {
  actor: Actor;
  role: 'owner' | 'editor' | 'viewer';
  team: { id: string; name: string };
  user: { id: string; name: string; email: string } | null;
}

export interface ApiContext {
  caller: Caller | null;
  headers: Headers;
  /** Headers of the answer: sign-out clears the cookie here. */
  responseHeaders: Headers;
}
