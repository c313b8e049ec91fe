import type { Arg } from '../../plan/plan';
import { SECRET_NAME } from './names';

const SECRET = /^\$(INFERLOOM_SECRET_[A-Z0-9_]+)$/;

/** Name of the secret that a value refers to. */
export const secretOf = (value: string): string | null => SECRET.exec(value)?.[1] ?? null;

/** Kubernetes fills in `$(NAME)` in arguments and environment; one that means itself is written `$$(NAME)`. */
export const literal = (text: string): string => text.replaceAll('$(', '$$$$(');

/** A value as a container argument: a secret by its variable, everything else as it is. */
export function argValue(value: string): string {
  const secret = secretOf(value);
  return secret === null ? literal(value) : `$(${secret})`;
}

/** Secrets that stand in arguments: their variables must be in the container's environment. */
export const secretsInArgs = (args: readonly Arg[]): string[] => [
  ...new Set(args.flatMap(({ value }) => (value === null ? [] : (secretOf(value) ?? [])))),
];

export const fromSecret = (secret: string) => ({ secretKeyRef: { name: SECRET_NAME, key: secret } });
