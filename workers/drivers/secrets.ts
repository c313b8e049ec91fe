const REFERENCE = /^\$(INFERLOOM_SECRET_[A-Z0-9_]+)$/;

/** A plan names a secret that this host does not hold. */
export class MissingSecretError extends Error {
  constructor(readonly secretName: string) {
    super(`secret ${secretName} is not set: neither in this worker's environment nor among the team's secrets`);
  }
}

/** Where secret values come from: the claim's first, then this process's own INFERLOOM_SECRET_* variables. */
export interface SecretSource {
  get(name: string): string | undefined;
  values(): string[];
}

export function createSecretSource(
  claimed: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): SecretSource {
  const known = new Map<string, string>();
  for (const [name, value] of [...Object.entries(environment), ...Object.entries(claimed)]) {
    if (name.startsWith('INFERLOOM_SECRET_') && value !== undefined && value !== '') known.set(name, value);
  }
  return { get: (name) => known.get(name), values: () => [...known.values()] };
}

/** The name behind `$INFERLOOM_SECRET_NAME`; null for any other text. */
export const secretReference = (text: string): string | null => REFERENCE.exec(text)?.[1] ?? null;

/** Replaces a reference by its value and leaves other text alone. Throws MissingSecretError. */
export function resolveSecret(text: string, secrets: SecretSource): string {
  const name = secretReference(text);
  if (name === null) return text;
  const value = secrets.get(name);
  if (value === undefined) throw new MissingSecretError(name);
  return value;
}

/** An engine's environment: PATH, HOME and LANG of this process, then the plan's own with secrets resolved. */
export function engineEnvironment(
  planned: Readonly<Record<string, string>>,
  secrets: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of ['PATH', 'HOME', 'LANG']) {
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  for (const [name, value] of Object.entries(planned)) env[name] = resolveSecret(value, secrets);
  return env;
}
