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
  /** Quotes or brackets that never end. */
  faults: string[];
}

interface Reader {
  text: string;
  at: number;
  comments: string[];
  faults: string[];
  arrays: Map<string, string[]>;
  /** Arrays do not nest. */
  inArray: boolean;
}

const CONTINUATION = /[\\`^][ \t]*\r?\n/y;
const OPERATOR = /\|\||&&|;;|[;|()\n]|&(?!>)/y;
const REDIRECT = /(?:\d*|&)(?:>>|>\||>&|<<<|<&|<>|>|<)/y;
const ARRAY = /^([A-Za-z_]\w*)\+?=$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', e: '\u001b' };

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

/** From an opening character to its match, verbatim. */
function bracketed(reader: Reader, open: string, close: string): string {
  const start = reader.at;
  let depth = 0;
  for (; reader.at < reader.text.length; reader.at++) {
    const char = reader.text[reader.at];
    if (char === '\\') reader.at += 1;
    else if (char === open) depth += 1;
    else if (char === close && --depth === 0) return reader.text.slice(start, ++reader.at);
  }
  reader.faults.push(`${open} never ends`);
  return reader.text.slice(start);
}

/** `$NAME`, `${…}`, `$(…)`, or the dollar alone. */
function dollar(reader: Reader): string {
  reader.at += 1;
  const next = reader.text[reader.at];
  if (next === '{') return `$${bracketed(reader, '{', '}')}`;
  if (next === '(') return `$${bracketed(reader, '(', ')')}`;
  return '$';
}

function backticks(reader: Reader): string {
  const end = reader.text.indexOf('`', reader.at + 1);
  const stop = end < 0 ? reader.text.length : end + 1;
  const part = reader.text.slice(reader.at, stop);
  reader.at = stop;
  return part;
}

function singleQuoted(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end < 0) reader.faults.push("' never ends");
  const stop = end < 0 ? reader.text.length : end;
  const part = reader.text.slice(reader.at + 1, stop);
  reader.at = stop + 1;
  return part;
}

function doubleQuoted(reader: Reader): string {
  let part = '';
  reader.at += 1;
  while (reader.at < reader.text.length) {
    const char = reader.text[reader.at] ?? '';
    if (char === '"') {
      reader.at += 1;
      return part;
    }
    if (char === '$') part += dollar(reader);
    else if (char === '`') part += backticks(reader);
    else if (char === '\\') {
      const next = reader.text[reader.at + 1] ?? '';
      if ('"\\$`'.includes(next)) part += next;
      else if (next !== '\n') part += `\\${next}`;
      reader.at += 2;
    } else {
      part += char;
      reader.at += 1;
    }
  }
  reader.faults.push('" never ends');
  return part;
}

/** `$'…'` */
function ansiQuoted(reader: Reader): string {
  let part = '';
  for (reader.at += 2; reader.at < reader.text.length; reader.at++) {
    const char = reader.text[reader.at] ?? '';
    if (char === "'") {
      reader.at += 1;
      return part;
    }
    if (char !== '\\') part += char;
    else {
      reader.at += 1;
      const next = reader.text[reader.at] ?? '';
      part += ESCAPES[next] ?? next;
    }
  }
  reader.faults.push("$' never ends");
  return part;
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
    return reader.text[reader.at - 1] ?? '';
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
    const before = word.endsWith('+=') ? (reader.arrays.get(name) ?? []) : [];
    reader.arrays.set(name, [...before, ...arrayItems(reader)]);
    return null;
  }
  return reader.at === start ? null : word;
}

/** Splits shell text into commands and words. Linear in the text, never throws. */
export function readShell(text: string): ShellText {
  const reader: Reader = { text, at: 0, comments: [], faults: [], arrays: new Map(), inArray: false };
  const statements: string[][] = [];
  const redirects: string[] = [];
  let words: string[] = [];
  const end = (): void => {
    if (words.length > 0) statements.push(words);
    words = [];
  };
  while (reader.at < text.length) {
    skip(reader, false);
    const redirect = matchAt(reader, REDIRECT);
    const operator = redirect === null ? matchAt(reader, OPERATOR) : null;
    if (redirect !== null) {
      reader.at += redirect.length;
      skip(reader, false);
      redirects.push(`${redirect}${readWord(reader) ?? ''}`);
    } else if (operator !== null) {
      reader.at += operator.length;
      end();
    } else {
      const before = reader.at;
      const word = readWord(reader);
      if (word !== null) words.push(word);
      else if (reader.at === before) reader.at += 1;
    }
  }
  end();
  return { statements, arrays: reader.arrays, comments: reader.comments, redirects, faults: reader.faults };
}

/** Words of one line of arguments; operators and comments split as in a shell. */
export const shellWords = (text: string): string[] => readShell(text).statements.flat();
