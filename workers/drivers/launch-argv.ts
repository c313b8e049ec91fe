import type { Component } from '@/server/core/plan/plan';
import { resolveSecret, type SecretSource } from './secrets';

/**
 * What is really launched: the plan's argv with the file name of each checkpoint replaced by its prepared path
 * and secrets resolved. Throws where a checkpoint was not prepared: an engine must not guess a path.
 * @param files scope → path, as `Driver.prepare` returns it
 */
export function launchArgv(
  component: Component,
  files: Readonly<Record<string, string>>,
  secrets: SecretSource,
): string[] {
  const argv = [...component.argv];
  for (const arg of component.args) {
    if (arg.setting !== 'weightsFormat' || arg.value === null) continue;
    const prepared = files[arg.scope];
    if (prepared === undefined) throw new Error(`no prepared checkpoint for scope ${arg.scope} (${arg.flag})`);
    const at = argv.findIndex((word, i) => word === arg.flag && argv[i + 1] === arg.value);
    if (at < 0) throw new Error(`argv of ${component.name} lacks ${arg.flag} ${arg.value}`);
    argv[at + 1] = prepared;
  }
  return argv.map((word) => resolveSecret(word, secrets));
}

/** Options that the driver sets itself; a plan's own value would point load and checks at the wrong place. */
export function withoutFlags(argv: readonly string[], flags: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const flag = flags.find((f) => word === f || word.startsWith(`${f}=`));
    if (flag === undefined) kept.push(word);
    else if (word === flag) i++;
  }
  return kept;
}

/** argv for logs and reports: the value after a flag that names a key is hidden even where its text looks harmless. */
export function displayArgv(argv: readonly string[], redact: (text: string) => string): string[] {
  return argv.map((word, i) => {
    const flag = argv[i - 1] ?? '';
    if (/^--?(api-?key|token|password|secret)(-file)?$/i.test(flag) && !flag.endsWith('-file')) return '[redacted]';
    return redact(word);
  });
}
