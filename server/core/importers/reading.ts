import { quote } from 'shell-quote';
import { holdsSecret, isReference, isSecretName, withoutSecrets } from '../engines/secret-shape';
import { type FlagWords, isFlagWord } from '../engines/split-flags';
import { type Finding, finding } from '../plan/finding';
import type { Unmapped } from './importer';

/** Node ids of an imported graph. */
export const ENGINE_NODE = 'engine';

const REFERENCE_NAME = /^\$\{?([A-Za-z_]\w*)/;
const screaming = (text: string): string =>
  text
    .replace(/^-+/, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/** The flags of one command while they find their places: taken by a node, kept raw, or said to be lost. */
export class Reading {
  readonly findings: Finding[] = [];
  readonly unmapped: Unmapped[] = [];
  private open: FlagWords[];

  constructor(flags: readonly FlagWords[]) {
    this.open = [...flags];
  }

  say(severity: Finding['severity'], code: string, message: string, nodeId: string | null = null): void {
    this.findings.push(finding(severity, code, message, { nodeId }));
  }

  peek(name: string): FlagWords | null {
    return this.open.findLast((flag) => flag.name === name) ?? null;
  }

  value(name: string): string | null {
    return this.peek(name)?.value ?? null;
  }

  /** Whole number of a flag; null where it is absent or something else. */
  integer(name: string): number | null {
    const text = this.value(name);
    return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
  }

  /** The flag of that name, which now has its place; of several the last counts, as in the engines' parsers. */
  take(name: string): FlagWords | null {
    const found = this.open.filter((flag) => flag.name === name);
    const last = found.at(-1) ?? null;
    for (const earlier of found.slice(0, -1)) {
      const text = this.clean(earlier).join(' ');
      this.say('info', 'flag-repeated', `${text} is given again later as ${last?.written}; the last one counts.`);
    }
    this.open = this.open.filter((flag) => flag.name !== name);
    return last;
  }

  /** Every flag of that name, in order: the dotted parts of one JSON argument. */
  all(name: string): FlagWords[] {
    return this.open.filter((flag) => flag.name === name);
  }

  takeEvery(name: string): void {
    this.open = this.open.filter((flag) => flag.name !== name);
  }

  takeAll(...names: readonly string[]): void {
    for (const name of names) this.take(name);
  }

  /** First word that belongs to no flag. */
  takePositional(): string | null {
    const at = this.open.findIndex((flag) => flag.spelling === null);
    const [found] = at < 0 ? [] : this.open.splice(at, 1);
    return found?.written ?? null;
  }

  /** A flag that the graph cannot hold and that is not kept. */
  drop(name: string, code: string, message: string, severity: Finding['severity'] = 'warning'): void {
    const flag = this.take(name);
    if (flag === null) return;
    const words = this.clean(flag);
    this.unmapped.push({ flag: flag.written, value: words.slice(1).join(' ') || null, node: null });
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

  /** Words of a flag without secrets. */
  private clean(flag: FlagWords): string[] {
    const { words, value, fact, written } = flag;
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

  /** What is left, as text for the engine node: word for word, secrets as references. Null where nothing is. */
  rawArguments(): string | null {
    const words = this.open.flatMap((flag) => {
      const clean = this.clean(flag);
      const value = clean.slice(1).join(' ') || flag.spelling?.value || null;
      this.unmapped.push({ flag: flag.written, value, node: ENGINE_NODE });
      return clean;
    });
    this.open = [];
    return words.length === 0 ? null : words.map(rawWord).join(' ');
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
