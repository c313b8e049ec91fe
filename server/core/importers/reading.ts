import { quote } from 'shell-quote';
import { holdsSecret, isReference, isSecretName, withoutSecrets } from '../engines/secret-shape';
import { isFlagWord } from '../engines/split-flags';
import { type Finding, finding } from '../plan/finding';
import type { Unmapped } from './importer';
import type { Mark } from './mark';
import { leafOf, nestedYaml } from './nested-yaml';

/** Node ids of an imported graph. */
export const ENGINE_NODE = 'engine';

const REFERENCE_NAME = /^\$[{(]?([A-Za-z_]\w*)/;
const screaming = (text: string): string =>
  text
    .replace(/^-+/, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/** What one start of an engine sets, while it finds its places: taken by a node, kept raw, or said to be lost. */
export class Reading {
  readonly findings: Finding[] = [];
  readonly unmapped: Unmapped[] = [];
  private open: Mark[];

  constructor(marks: readonly Mark[]) {
    this.open = [...marks];
  }

  say(severity: Finding['severity'], code: string, message: string, nodeId: string | null = null): void {
    this.findings.push(finding(severity, code, message, { nodeId }));
  }

  /** Everything without a place so far. */
  marks(): readonly Mark[] {
    return this.open;
  }

  peek(name: string): Mark | null {
    return this.open.findLast((mark) => mark.name === name) ?? null;
  }

  value(name: string): string | null {
    return this.peek(name)?.value ?? null;
  }

  /** Whole number of a mark; null where it is absent or something else. */
  integer(name: string): number | null {
    const text = this.value(name);
    return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
  }

  /** The mark of that name, which now has its place; of several the last counts, as in the engines' parsers. */
  take(name: string): Mark | null {
    const last = this.peek(name);
    if (last !== null) this.takeMarks([last]);
    return last;
  }

  /** These marks have their places; earlier ones of their names are without effect. */
  takeMarks(marks: readonly Mark[]): void {
    for (const mark of marks) {
      const earlier = this.open.filter((m) => m.name === mark.name && m.kind === mark.kind && m !== mark);
      for (const other of earlier) {
        const text = this.clean(other).join(' ');
        this.say('info', 'flag-repeated', `${text} is given again later as ${mark.written}; the last one counts.`);
      }
      this.open = this.open.filter((m) => m !== mark && !earlier.includes(m));
    }
  }

  /** First word that belongs to no flag. */
  takePositional(): string | null {
    const at = this.open.findIndex((mark) => mark.kind === 'arg' && mark.spelling === null);
    const [found] = at < 0 ? [] : this.open.splice(at, 1);
    return found?.written ?? null;
  }

  /** Puts another meaning on the mark of that name; its words stay. */
  mean(name: string, value: string): void {
    const mark = this.peek(name);
    if (mark !== null) this.open = this.open.map((m) => (m === mark ? { ...mark, value } : m));
  }

  add(mark: Mark): void {
    this.open.push(mark);
  }

  /** Something that the text says without words of its own. */
  imply(mark: Mark): void {
    this.open.push({ ...mark, words: [] });
  }

  /** One mark in place of several; its words are theirs. */
  join(marks: readonly Mark[], joined: Mark): void {
    const [first] = marks;
    const words = marks.flatMap((mark) => mark.words);
    this.open = this.open.flatMap((m) => (m === first ? [{ ...joined, words }] : marks.includes(m) ? [] : [m]));
  }

  /** A mark that the graph cannot hold and that is not kept. */
  drop(name: string, code: string, message: string, severity: Finding['severity'] = 'warning'): void {
    const mark = this.take(name);
    if (mark === null) return;
    const words = this.clean(mark);
    this.unmapped.push({ flag: mark.written, value: words.slice(1).join(' ') || null, node: null });
    this.say(severity, code, `${words.join(' ')}: ${message}`);
  }

  /** Name of the secret for a value: that of the variable it came from, else of the flag. */
  secret(value: string, name: string): string {
    const variable = isReference(value) ? REFERENCE_NAME.exec(value)?.[1] : undefined;
    if (variable?.startsWith('INFERLOOM_SECRET_')) return variable;
    const reference = `INFERLOOM_SECRET_${screaming(variable ?? name)}`;
    const what =
      variable === undefined ? `The value of ${name} is a secret and is not stored` : `${name} is $${variable}`;
    this.say('warning', 'secret-referenced', `${what}; set the secret ${reference} on the worker or in the team.`);
    return reference;
  }

  /** Words of a mark without secrets. */
  private clean(mark: Mark): string[] {
    const { words, value, fact, written } = mark;
    const isSecret = fact?.risk === 'secret' || (fact === null && isSecretName(written));
    if (isSecret && value !== null) return [written, `$${this.secret(value, written)}`];
    return words.map((word) => {
      if (!holdsSecret(word)) return word;
      const reference = `$INFERLOOM_SECRET_${screaming(isFlagWord(written) ? written : 'value')}`;
      const message = `A value of ${written} looks like a secret and is not stored; ${reference.slice(1)} stands for it.`;
      this.say('warning', 'secret-referenced', message, ENGINE_NODE);
      return withoutSecrets(word, reference);
    });
  }

  /** Takes every mark of a kind. */
  rest(kind: Mark['kind']): Mark[] {
    const found = this.open.filter((mark) => mark.kind === kind);
    this.open = this.open.filter((mark) => mark.kind !== kind);
    return found;
  }

  /** What is left, as text for the engine node: word for word, secrets as references. Null where nothing is. */
  rawArguments(): string | null {
    const words = this.rest('arg').flatMap((mark) => {
      if (mark.words.length === 0) return [];
      const clean = this.clean(mark);
      const value = clean.slice(1).join(' ') || mark.spelling?.value || null;
      this.unmapped.push({ flag: mark.written, value, node: ENGINE_NODE });
      return clean;
    });
    return words.length === 0 ? null : words.map(rawWord).join(' ');
  }

  /** Entries of a configuration file that are left, as YAML for the engine node. Null where nothing is. */
  rawConfig(): string | null {
    const entries = this.rest('config').map((mark): [string, unknown] => {
      const clean = this.clean(mark);
      const isSecret = clean[0] !== mark.words[0];
      this.unmapped.push({ flag: mark.written, value: isSecret ? null : mark.value, node: ENGINE_NODE });
      return [mark.written, isSecret ? clean.at(-1) : leafOf(mark.value)];
    });
    return entries.length === 0 ? null : nestedYaml(entries);
  }

  /** Findings about spellings: what is removed, unknown or cut short. */
  judgeSpellings(facts: string): void {
    for (const { written, name, spelling, fact } of this.open) {
      if (spelling === null) continue;
      const { how, now } = spelling;
      if (how === 'removed')
        this.say('warning', 'flag-removed', `${facts} no longer knows ${written}; now it is ${now}.`);
      else if (how === 'abbreviated') this.say('info', 'flag-abbreviated', `${written} is read as ${name}.`);
      else if (fact === null)
        this.say('warning', 'flag-unknown', `The facts about ${facts} have no ${written}; it is kept.`);
    }
  }
}

const rawWord = (word: string): string => (/^\$INFERLOOM_SECRET_\w+$/.test(word) ? word : quote([word]));
