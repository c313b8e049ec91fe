import { ansiQuoted, backticks, dollar, doubleQuoted, type Reader, singleQuoted } from './shell-quotes';

/**
 * Words of shell text as bash splits them, with nothing expanded or run: `$NAME`, `${NAME:-x}`, `$(command)` and
 * backticks stay as they are written. shell-quote's parser is not enough here: it ends the whole text at the first `#`,
 * even one inside a word, expands variables, and knows neither continuations nor arrays.
 */
export interface ShellText {
  /** Words of each command, redirections taken out. */
  statements: string[][];
  /** `name=( … )`, by name. */
  arrays: ReadonlyMap<string, readonly string[]>;
  comments: string[];
  redirects: string[];
  /** What here-documents write into files, by path; `''` for one that a command reads itself. */
  files: ReadonlyMap<string, string>;
  /** Quotes or brackets that never end. */
  faults: string[];
}

const CONTINUATION = /[\\`^][ \t]*\r?\n/y;
const OPERATOR = /\|\||&&|;;|[;|()\n]|&(?!>)/y;
const REDIRECT = /(?:\d*|&)(?:>>|>\||>&|<<<|<<-?|<&|<>|>|<)/y;
const ARRAY = /^([A-Za-z_]\w*)\+?=$/;

function matchAt(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  return pattern.exec(reader.text)?.[0] ?? null;
}

/** Passes blanks, continuations and comments; line ends too where `lines` is set. */
function skip(reader: Reader, lines: boolean): void {
  for (;;) {
    const char = reader.text[reader.at];
    const continuation = matchAt(reader, CONTINUATION);
    if (continuation !== null) reader.at += continuation.length;
    else if (char === ' ' || char === '\t' || char === '\r' || (lines && char === '\n')) reader.at += 1;
    else if (char === '#') {
      const end = reader.text.indexOf('\n', reader.at);
      const stop = end < 0 ? reader.text.length : end;
      reader.comments.push(reader.text.slice(reader.at + 1, stop).trim());
      reader.at = stop;
    } else return;
  }
}

function arrayItems(reader: Reader): string[] {
  reader.at += 1;
  reader.inArray = true;
  const items: string[] = [];
  for (;;) {
    skip(reader, true);
    const isOpen = reader.at < reader.text.length;
    if (!isOpen || reader.text[reader.at] === ')') {
      if (isOpen) reader.at += 1;
      else reader.faults.push('( never ends');
      reader.inArray = false;
      return items;
    }
    const item = readWord(reader);
    if (item === null) reader.at += 1;
    else items.push(item);
  }
}

/** One part of a word; null at its end. */
function wordPart(reader: Reader): string | null {
  const char = reader.text[reader.at];
  if (char === undefined || matchAt(reader, CONTINUATION) !== null || /[\s;|()<>&]/.test(char)) return null;
  if (char === "'") return singleQuoted(reader);
  if (char === '"') return doubleQuoted(reader);
  if (char === '`') return backticks(reader);
  if (char === '$') return reader.text[reader.at + 1] === "'" ? ansiQuoted(reader) : dollar(reader);
  if (char === '\\') {
    reader.at += 2;
    const escaped = reader.text[reader.at - 1] ?? '';
    return escaped === '$' ? reader.literalDollar : escaped;
  }
  reader.at += 1;
  return char;
}

/** The word at the place of the reader; null where none starts. An array is kept aside and is no word. */
function readWord(reader: Reader): string | null {
  const start = reader.at;
  const parts: string[] = [];
  for (let part = wordPart(reader); part !== null; part = wordPart(reader)) parts.push(part);
  const word = parts.join('');
  const opens = reader.text[reader.at] === '(' && !reader.inArray;
  const name = opens ? ARRAY.exec(word)?.[1] : undefined;
  if (name !== undefined) {
    const items = arrayItems(reader);
    const before = word.endsWith('+=') ? reader.arrays.get(name) : undefined;
    if (before === undefined) reader.arrays.set(name, items);
    else for (const item of items) before.push(item);
    return null;
  }
  return reader.at === start ? null : word;
}

/** Text of the here-documents of the line that ended, one after the other. */
function readHeredocs(reader: Reader): string[] {
  return reader.heredocs.splice(0).map(({ delimiter, tabs }) => {
    const lines: string[] = [];
    for (;;) {
      const end = reader.text.indexOf('\n', reader.at);
      const stop = end < 0 ? reader.text.length : end;
      const line = reader.text.slice(reader.at, stop).replace(/\r$/, '');
      const plain = tabs ? line.replace(/^\t+/, '') : line;
      reader.at = Math.min(stop + 1, reader.text.length);
      if (plain.trim() === delimiter) break;
      lines.push(plain);
      if (end < 0) {
        reader.faults.push(`<<${delimiter} never ends`);
        break;
      }
    }
    return `${lines.join('\n')}\n`;
  });
}

/** The file that a command writes what it is given into: `> FILE`, or `tee FILE`. */
function writtenFile(words: readonly string[], targets: readonly string[]): string | null {
  const tee = words.indexOf('tee');
  return targets.at(-1) ?? (tee < 0 ? null : (words.slice(tee + 1).find((word) => !word.startsWith('-')) ?? null));
}

/** Where a redirection goes; null for a here-document, which is noted for the line's end. */
function readTarget(reader: Reader, redirect: string): string | null {
  reader.at += redirect.length;
  skip(reader, false);
  const target = readWord(reader) ?? '';
  if (!redirect.startsWith('<<') || redirect === '<<<') return target;
  reader.heredocs.push({ delimiter: target, tabs: redirect === '<<-' });
  return null;
}

/** Commands as they end, and what they write. */
class Statements {
  readonly statements: string[][] = [];
  readonly redirects: string[] = [];
  readonly files = new Map<string, string>();
  private words: string[] = [];
  private targets: string[] = [];

  constructor(private readonly reader: Reader) {}

  word(word: string): void {
    this.words.push(word);
  }

  redirect(redirect: string): void {
    const target = readTarget(this.reader, redirect);
    if (target === null) return;
    this.redirects.push(`${redirect}${target}`);
    if (/^\d*>\|?$/.test(redirect)) this.targets.push(target);
  }

  end(operator: string): void {
    const isLine = operator === '\n';
    const bodies = isLine ? readHeredocs(this.reader) : [];
    const path = writtenFile(this.words, this.targets);
    if (bodies.length > 0) this.files.set(path ?? '', bodies.join(''));
    if (this.words.length > 0) this.statements.push(this.words);
    this.words = [];
    if (isLine || this.reader.heredocs.length === 0) this.targets = [];
  }
}

/**
 * Splits shell text into commands and words. Linear in the text, never throws. `literalDollar` takes the place of
 * dollars that a shell would not expand, for a reader that expands the others.
 */
export function readShell(text: string, literalDollar = '$'): ShellText {
  const shared = { text, at: 0, comments: [], faults: [], arrays: new Map(), inArray: false };
  const reader: Reader = { ...shared, literalDollar, heredocs: [] };
  const found = new Statements(reader);
  while (reader.at < text.length) {
    skip(reader, false);
    const redirect = matchAt(reader, REDIRECT);
    const operator = redirect === null ? matchAt(reader, OPERATOR) : null;
    if (redirect !== null) found.redirect(redirect);
    else if (operator !== null) {
      reader.at += operator.length;
      found.end(operator);
    } else {
      const before = reader.at;
      const word = readWord(reader);
      if (word !== null) found.word(word);
      else if (reader.at === before) reader.at += 1;
    }
  }
  found.end('\n');
  const { arrays, comments, faults } = reader;
  const { statements, redirects, files } = found;
  return { statements, arrays, comments, redirects, files, faults };
}

/** Words of one line of arguments; operators and comments split as in a shell. */
export const shellWords = (text: string): string[] => readShell(text).statements.flat();
