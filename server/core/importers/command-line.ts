import { readShell, type ShellText, shellWords } from '../engines/shell-words';
import { type Finding, finding } from '../plan/finding';
import { DIALECTS } from './dialects/index';
import { fencedBlocks } from './fenced-blocks';
import { invocationInCommand, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { readHead } from './read-head';
import { expandVariables, LITERAL_DOLLAR, plainDollars, unknownReferences } from './shell-variables';

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

/** Names that are told one by one. */
const MAX_UNKNOWN = 20;

/** A script's own variables while its statements are read in order. */
class Script {
  readonly findings: Finding[] = [];
  readonly invocations: Invocation[] = [];
  readonly preparation: string[][] = [];
  private exported: Record<string, string> = {};
  private readonly variables: Record<string, string> = {};
  private readonly used = new Set<string>();

  constructor(private readonly shell: ShellText) {}

  /** Known variables filled in; an array or a list of flags gives as many words as it holds. */
  private expand(word: string): readonly string[] {
    const name = WHOLE_VARIABLE.exec(word)?.[1];
    const array = name === undefined ? undefined : this.shell.arrays.get(name);
    if (array !== undefined) return array.flatMap((item) => this.fill(item));
    const [value = ''] = this.fill(word);
    return name !== undefined && value !== word && value.startsWith('-') ? shellWords(value) : [value];
  }

  private fill(word: string): string[] {
    const { text, used } = expandVariables(word, this.variables);
    for (const name of used) this.used.add(name);
    return [text];
  }

  private assign(env: Readonly<Record<string, string>>): Record<string, string> {
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, plainDollars(this.fill(value)[0] ?? '')]),
    );
    Object.assign(this.variables, filled);
    return filled;
  }

  read(statement: readonly string[]): void {
    const isExport = statement[0] === 'export';
    const { env, rest } = takeAssignments(isExport ? statement.slice(1) : statement);
    if (isExport) this.exported = { ...this.exported, ...this.assign(env) };
    else if (rest.length === 0) this.assign(env);
    else this.run(statement);
  }

  private run(statement: readonly string[]): void {
    const filled = statement.flatMap((word) => this.expand(word));
    const words = filled.map(plainDollars);
    const found = invocationInCommand(words);
    if (found !== null) {
      this.sayUnknown(filled);
      this.invocations.push({ ...found, env: { ...this.exported, ...found.env } });
      return;
    }
    const { rest } = takeAssignments(words);
    this.preparation.push(rest);
    const [command = ''] = rest;
    if (NOTHING.includes(command) || command === '') return;
    const message = `The command ${command} beside the engine's is not imported.`;
    this.findings.push(finding('info', 'command-not-imported', message));
  }

  private sayUnknown(words: readonly string[]): void {
    const unknown = new Set(words.flatMap(unknownReferences).filter((name) => !name.includes('INFERLOOM_')));
    for (const written of [...unknown].slice(0, MAX_UNKNOWN)) {
      const message = `${written} is defined nowhere in the text; it is kept as it stands.`;
      this.findings.push(finding('warning', 'variable-unknown', message));
    }
  }

  /** Variables that were set and stand in no command that was imported. */
  sayUnused(): void {
    for (const name of Object.keys(this.variables)) {
      if (this.used.has(name) || Object.hasOwn(this.exported, name)) continue;
      this.findings.push(
        finding('info', 'variable-unused', `The variable ${name} is set and used by no command here.`),
      );
    }
  }
}

/** Parts of a script that do nothing to the engine and need no word. */
const NOTHING = ['set', 'cd', 'echo', 'true', 'fi', 'done', 'esac', 'wait', '[', '[[', 'test', '}', '{', '#!'];

function readStatements(shell: ShellText): Script {
  const script = new Script(shell);
  for (const statement of shell.statements) script.read(statement);
  if (script.invocations.length > 0) script.sayUnused();
  return script;
}

/** A command line or a shell script that starts an engine. Nothing in it is run or expanded by a shell. */
export const commandLine: Importer = {
  id: 'command-line',
  title: 'Command line',
  recognizes: (text) => DIALECTS.some(({ mentions }) => mentions.test(text)),
  read(text) {
    const blocks = fencedBlocks(text);
    const shell = readShell(withWindowsPaths(withoutDecoration(blocks.shell)), LITERAL_DOLLAR);
    const { invocations, preparation, findings } = readStatements(shell);
    const head = readHead(shell.comments);
    const files = new Map([...blocks.files, ...shell.files]);
    const faults = shell.faults.map((fault) =>
      finding('warning', 'shell-unfinished', `The command is cut off: ${fault}.`),
    );
    const redirects = shell.redirects.map((redirect) =>
      finding('info', 'redirection-not-kept', `The redirection ${plainDollars(redirect)} is not kept.`),
    );
    return {
      invocations: invocations.map((found) => ({ ...found, head, preparation, files })),
      findings: [...faults, ...findings, ...redirects],
    };
  },
};
