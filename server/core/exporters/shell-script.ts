import { quote } from 'shell-quote';
import type { Arg } from '../plan/plan';
import { oneLine, originsOf, requestLines } from './comment';
import type { EnvEntry, Launch } from './launch';
import type { PrepareStep } from './prepare-weights';

const comment = (text: string): string => `# ${oneLine(text)}`;

/** A word for bash, quoted so that bash reads it back unchanged. */
export const word = (text: string): string => quote([text]);

const SECRET = /^\$(INFERLOOM_SECRET_[A-Z0-9_]+)$/;
const VARIABLE = /^\$\{([A-Z_]+)\}\//;

/** A word that may begin with one of our own variables, which bash must fill in. */
function stepWord(text: string): string {
  const variable = VARIABLE.exec(text)?.[1];
  if (variable === undefined) return word(text);
  return `"\${${variable}:?set it to the folder of Inferloom}"/${word(text.slice(variable.length + 4))}`;
}

function prepareLines(steps: readonly PrepareStep[]): string[] {
  return steps.flatMap(({ comment: text, makes, words }) => [
    comment(text),
    `[ -e ${word(makes)} ] || ${words.map(stepWord).join(' ')}`,
  ]);
}

function envLine({ name, value, setting, nodeId }: EnvEntry): string {
  return `export ${name}=${valueWord(value)} ${comment(`${setting}, node ${nodeId ?? '?'}`)}`;
}

/** A value for bash; a secret stands there by name, and bash fills it in. */
function valueWord(value: string): string {
  const secret = SECRET.exec(value)?.[1];
  return secret === undefined ? word(value) : `"\${${secret}:?set it to the secret}"`;
}

function argLines(args: readonly Arg[], origins: readonly string[]): string[] {
  const written = args.map(({ flag, value }) => (value === null ? word(flag) : `${word(flag)} ${valueWord(value)}`));
  const width = Math.min(48, Math.max(0, ...written.map((text) => text.length)));
  return written.map((text, i) => `  ${text.padEnd(width)} ${comment(origins[i] ?? '')}`);
}

export interface ScriptParts {
  /** Comment lines at the top. */
  head: readonly string[];
  steps: readonly PrepareStep[];
  launch: Launch;
  /** Arguments that the form needs and no setting asks for. */
  fixed: readonly Arg[];
  /** The command reads files that lie beside the script. */
  besideItself?: boolean;
}

/** A bash script: an array keeps one argument and its origin on one line. */
export function shellScript({ head, steps, launch, fixed, besideItself = false }: ScriptParts): string {
  const origins = [...originsOf(launch), ...fixed.map((arg) => arg.note ?? 'fixed')];
  const lines = [
    '#!/usr/bin/env bash',
    ...head.map(comment),
    ...requestLines(launch).map(comment),
    'set -euo pipefail',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
    ...(besideItself ? ['cd -- "$(dirname -- "${BASH_SOURCE[0]}")"'] : []),
    '',
    ...(steps.length === 0 ? [] : [comment('Weights'), ...prepareLines(steps), '']),
    ...(launch.env.length === 0 ? [] : [...launch.env.map(envLine), '']),
    'args=(',
    ...argLines([...launch.args, ...fixed], origins),
    ')',
    `exec ${launch.command.map(word).join(' ')} "\${args[@]}"`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A bash script of steps only, each skipped where its result is there. */
export const stepsScript = (head: readonly string[], steps: readonly PrepareStep[]): string =>
  `${['#!/usr/bin/env bash', ...head.map(comment), 'set -euo pipefail', '', ...prepareLines(steps)].join('\n')}\n`;

/** An argument that comes from the form of the file, not from the graph. */
export const fixedArg = (flag: string, value: string | null, note: string): Arg => ({
  flag,
  value,
  setting: null,
  scope: 'target',
  nodeId: null,
  isDefault: false,
  note,
});
