import { createRedactor } from './redact';
import type { SecretSource } from './secrets';

/** What every driver is built with: this host's folders and the secrets of the block at hand. */
export interface DriverEnvironment {
  /** The agent's work folder; checkpoints are cached below it. */
  workDir: string;
  /** Where pids of our engines are written down. */
  ownedFolder: string;
  secrets: SecretSource;
  redact(text: string): string;
  /** This process's own environment, for PATH and opt-ins. */
  host: Readonly<Record<string, string | undefined>>;
}

export function createDriverEnvironment(
  workDir: string,
  secrets: SecretSource,
  host: Readonly<Record<string, string | undefined>>,
): DriverEnvironment {
  return {
    workDir,
    ownedFolder: `${workDir}/engines`,
    secrets,
    redact: createRedactor(secrets.values()),
    host,
  };
}
