import type { EnvEntry } from '../launch';
import { secretName } from '../secret-reference';
import { unitComment } from './unit-word';

/** A variable whose value is a secret, and the name under which the graph knows it. */
export interface SecretVariable {
  variable: string;
  secret: string;
  /** Setting and node that ask for it. */
  origin: string;
}

/** Variables that the environment file must bring: by their own name for the engine's environment and for argv. */
export function secretVariables(env: readonly EnvEntry[], values: readonly (string | null)[]): SecretVariable[] {
  const ofEnvironment = env.flatMap(({ name, value, setting, nodeId }) => {
    const secret = secretName(value);
    return secret === null ? [] : [{ variable: name, secret, origin: `${setting}, node ${nodeId ?? '?'}` }];
  });
  const ofArguments = values.flatMap((value) => {
    const secret = value === null ? null : secretName(value);
    return secret === null ? [] : [{ variable: secret, secret, origin: 'an argument of the command' }];
  });
  const all = [...ofEnvironment, ...ofArguments];
  return all.filter(({ variable }, i) => all.findIndex((other) => other.variable === variable) === i);
}

/** The file that holds the secrets on the host, with no value in it. */
export function environmentExample(path: string, variables: readonly SecretVariable[], hub: boolean): string {
  const lines = [
    unitComment(`Copy to ${path}, owner root, mode 0600; systemd reads it before it drops its rights.`),
    ...variables.flatMap(({ variable, secret, origin }) => [
      unitComment(`${origin}: the value of ${secret}`),
      `#${variable}=`,
    ]),
    ...(hub ? [unitComment('for gated repositories only'), '#HF_TOKEN='] : []),
  ];
  return `${lines.join('\n')}\n`;
}
