import { invocationInCommand, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { readHead } from './read-head';
import { unitWords } from './unit-words';

/** Settings of a unit, continued lines joined; comments apart. */
function readUnit(text: string): { settings: [string, string][]; comments: string[] } {
  const isComment = (line: string): boolean => /^[ \t]*[#;]/.test(line);
  const all = text.split(/\r?\n/);
  // Comments between continued lines are passed over, not continued.
  const joined = all
    .filter((line) => !isComment(line))
    .join('\n')
    .replace(/\\\n[ \t]*/g, ' ');
  const lines = joined.split('\n').map((line) => line.trim());
  return {
    settings: lines.flatMap((line): [string, string][] => {
      const [, name, value] = /^([A-Za-z]+)\s*=\s*(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
    comments: all.filter(isComment).map((line) => line.trim().slice(1).trim()),
  };
}

/** In a command a dollar that means itself is doubled; in `Environment=` it is not. */
const commandWords = (value: string): string[] => unitWords(value).map((word) => word.replaceAll('$$', '$'));

/** Marks in front of a command that change how it is run. */
const PREFIX = /^[-@:+!|]+/;
const READ = ['ExecStart', 'Environment'];

function invocationsOf(settings: readonly (readonly [string, string])[]): Invocation[] {
  const assigned = settings.filter(([name]) => name === 'Environment').map(([, value]) => value);
  const { env } = takeAssignments(assigned.flatMap(unitWords));
  const files = settings.filter(([name]) => name === 'EnvironmentFile').map(([, value]) => value);
  const others = [...new Set(settings.map(([name]) => name))].filter((name) => !READ.includes(name));
  const { HOME: _home, PATH: _path, ...variables } = env;
  return settings
    .filter(([name]) => name === 'ExecStart')
    .flatMap(([, command]) => {
      const found = invocationInCommand(commandWords(command.replace(PREFIX, '')));
      if (found === null) return [];
      const kept = others.length === 0 ? [] : [`Of the unit, ${others.join(', ')} are not kept.`];
      const secrets = files.map((file) => `Variables of ${file} are not in the text.`);
      return [{ ...found, env: { ...variables, ...found.env }, notKept: [...found.notKept, ...kept, ...secrets] }];
    });
}

/** A systemd unit: what ExecStart starts. */
export const systemdUnit: Importer = {
  id: 'systemd-unit',
  title: 'systemd unit',
  recognizes: (text) => /^\[Service\][ \t]*$/m.test(text) && /^ExecStart\s*=/m.test(text),
  read(text) {
    const { settings, comments } = readUnit(text);
    const head = readHead(comments);
    return { invocations: invocationsOf(settings).map((found) => ({ ...found, head })), findings: [] };
  },
};
