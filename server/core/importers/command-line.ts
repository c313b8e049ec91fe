import { readShell, type ShellText, shellWords } from '../engines/shell-words';
import { type Finding, finding } from '../plan/finding';
import { DIALECTS } from './dialects/index';
import { invocationInCommand, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { readHead } from './read-head';

/** Paths of Windows, whose backslashes separate and quote nothing. */
const WINDOWS = /\\[\w.-]+\.exe\b|(?:^|\s)\.\\|\b[A-Za-z]:\\/;
const withWindowsPaths = (text: string): string => (WINDOWS.test(text) ? text.replace(/\\(?=\S)/g, '\\\\') : text);

/** Takes off what a page puts around a command: fences, prompts, notebook marks. */
const withoutDecoration = (text: string): string =>
  text
    .replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '')
    .replace(/^[ \t]*%%\w+[^\n]*$/gm, '')
    .replace(/^([ \t]*)(?:\$ |!(?=[A-Za-z]))/gm, '$1');

const WHOLE_VARIABLE = /^\$\{?(\w+)(?:\[[@*]\])?\}?$/;

/** Arrays and lists of flags kept in a variable take the place of the word that names them; other variables stay. */
function expand(words: readonly string[], shell: ShellText, variables: Readonly<Record<string, string>>): string[] {
  return words.flatMap((word): readonly string[] => {
    const name = WHOLE_VARIABLE.exec(word)?.[1];
    if (name === undefined) return [word];
    const array = shell.arrays.get(name);
    if (array !== undefined) return array;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value?.startsWith('-') ? shellWords(value) : [word];
  });
}

const LAUNCHES_NOTHING = ['export', 'set', 'cd', 'echo', 'pip', 'source', 'mkdir'];

function readStatements(shell: ShellText): { invocations: Invocation[]; findings: Finding[] } {
  const invocations: Invocation[] = [];
  const preparation: string[][] = [];
  let exported: Record<string, string> = {};
  const variables: Record<string, string> = {};
  for (const statement of shell.statements) {
    if (statement[0] === 'export') {
      exported = { ...exported, ...takeAssignments(statement.slice(1)).env };
      continue;
    }
    const { env, rest } = takeAssignments(statement);
    if (rest.length === 0) Object.assign(variables, env);
    const found = invocationInCommand(expand(statement, shell, variables));
    if (found !== null) invocations.push({ ...found, env: { ...exported, ...found.env } });
    else if (rest.length > 0 && !LAUNCHES_NOTHING.includes(rest[0] ?? '')) preparation.push(rest);
  }
  const findings = shell.redirects.map((redirect) =>
    finding('info', 'redirection-not-kept', `The redirection ${redirect} is not kept.`),
  );
  return { invocations: invocations.map((found) => ({ ...found, preparation })), findings };
}

/** A command line or a shell script that starts an engine. Nothing in it is run or expanded. */
export const commandLine: Importer = {
  id: 'command-line',
  title: 'Command line',
  recognizes: (text) => DIALECTS.some(({ mentions }) => mentions.test(text)),
  read(text) {
    const shell = readShell(withWindowsPaths(withoutDecoration(text)));
    const { invocations, findings } = readStatements(shell);
    const head = readHead(shell.comments);
    const faults = shell.faults.map((fault) =>
      finding('warning', 'shell-unfinished', `The command is cut off: ${fault}.`),
    );
    return { invocations: invocations.map((found) => ({ ...found, head })), findings: [...faults, ...findings] };
  },
};
