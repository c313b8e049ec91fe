import { quote } from 'shell-quote';
import { findSpelling, flagTableOf } from '../engines/find-flag-spelling';
import type { FlagTable } from '../engines/flag';
import { holdsSecret, isReference, isSecretName } from '../engines/secret-shape';
import { shellWords } from '../engines/shell-words';
import { type FlagWords, splitFlags } from '../engines/split-flags';
import { type Finding, finding } from '../plan/finding';
import type { Arg } from '../plan/plan';
import type { ResolvedEngine } from './resolve-engine';

/** Arguments that whoever launches the engine sets: agent, script, manifest. */
const LAUNCHER_FLAGS: readonly string[] = ['--host', '--port'];

const FIELD = 'rawArgs';

/** What one node argument and one raw argument have in common: the table's name of the flag. */
const nameOf = (table: FlagTable, flag: string): string => findSpelling(table, flag).fact?.name ?? flag;

function clash(raw: readonly FlagWords[], own: FlagWords, earlier: Arg, nodeId: string): Finding {
  const others = raw.filter((flag) => flag !== own).flatMap((flag) => flag.words);
  const by = earlier.nodeId === null ? 'the workload' : `node "${earlier.nodeId}"`;
  const message = `${own.written} stands in the raw arguments and ${by} sets it too (${earlier.flag} ${earlier.value ?? ''}).`;
  const value = others.length === 0 ? null : quote(others);
  const edits = [{ op: 'set-param' as const, nodeId, field: FIELD, value }];
  return finding('error', 'raw-argument-clash', message.replace(' )', ')'), {
    nodeId,
    field: FIELD,
    fix: { label: `Take ${own.written} out of the raw arguments`, edits },
  });
}

function judge(flag: FlagWords, { engine, version, nodeId }: ResolvedEngine): Finding[] {
  const where = { nodeId, field: FIELD, source: engine.versions.source };
  const say = (severity: Finding['severity'], code: string, message: string) => [
    finding(severity, code, message, where),
  ];
  const { written, spelling, fact, value } = flag;
  const facts = `${engine.title} ${engine.versions.pinned}`;
  if ((fact?.risk === 'secret' || isSecretName(written)) && value !== null && !isReference(value)) {
    return say(
      'error',
      'raw-argument-secret',
      `${written} holds a secret: name one as $INFERLOOM_SECRET_NAME instead.`,
    );
  }
  if (holdsSecret(flag.words.join(' '))) {
    const message = `A value of ${written} looks like a secret: name one as $INFERLOOM_SECRET_NAME instead.`;
    return say('error', 'raw-argument-secret', message);
  }
  if (spelling === null) {
    return say('warning', 'raw-argument-stray', `"${written}" belongs to no flag in the facts about ${facts}.`);
  }
  if (spelling.how === 'removed') {
    return say('warning', 'raw-argument-removed', `${facts} no longer knows ${written}; now it is ${spelling.now}.`);
  }
  if (fact === null) {
    const other = version === engine.versions.pinned ? '' : ` (here ${version} runs)`;
    return say('warning', 'raw-argument-unknown', `${written} is not in the facts, read from ${facts}${other}.`);
  }
  if (LAUNCHER_FLAGS.includes(fact.name)) {
    return say('warning', 'raw-argument-launcher', `${written} is set by whatever starts the engine, once more.`);
  }
  if (fact.risk === 'code') {
    const message = `${written} can run code that it names: a worker takes it only where its owner allows that.`;
    return say('warning', 'raw-argument-code', message);
  }
  return [];
}

const argOf = ({ words }: FlagWords, nodeId: string): Arg[] => {
  const shared = { setting: null, scope: 'target' as const, nodeId, isDefault: false, note: null };
  const [flag = '', value, ...more] = words;
  return [
    { flag, value: value ?? null, ...shared },
    ...more.map((word): Arg => ({ flag: word, value: null, ...shared })),
  ];
};

/** Arguments of the engine node that no other node makes, word for word, judged by the flags of the facts. */
export function rawArguments(engine: ResolvedEngine, own: readonly Arg[]): { args: Arg[]; findings: Finding[] } {
  const words = engine.rawArgs === null ? [] : shellWords(engine.rawArgs);
  const table = words.length === 0 ? null : flagTableOf(engine.engine, engine.runtime);
  if (table === null) return { args: [], findings: [] };
  const flags = splitFlags(table, words);
  const set = new Map(own.filter((arg) => arg.flag.startsWith('-')).map((arg) => [nameOf(table, arg.flag), arg]));
  const findings = flags.flatMap((flag) => {
    const earlier = flag.name === null ? undefined : set.get(flag.name);
    return earlier === undefined ? judge(flag, engine) : [clash(flags, flag, earlier, engine.nodeId)];
  });
  return { args: flags.flatMap((flag) => argOf(flag, engine.nodeId)), findings };
}
