/** Where a reader of shell text stands, and what it has found. */
export interface Reader {
  text: string;
  at: number;
  comments: string[];
  faults: string[];
  arrays: Map<string, string[]>;
  /** Arrays do not nest. */
  inArray: boolean;
  /** Stands for a dollar that the shell would leave alone. */
  literalDollar: string;
  heredocs: Heredoc[];
}

/** A here-document whose text starts behind the line's end. */
export interface Heredoc {
  delimiter: string;
  /** `<<-`: tabs at the front of lines are not part of it. */
  tabs: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', e: '\u001b' };

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
export function dollar(reader: Reader): string {
  reader.at += 1;
  const next = reader.text[reader.at];
  if (next === '{') return `$${bracketed(reader, '{', '}')}`;
  if (next === '(') return `$${bracketed(reader, '(', ')')}`;
  return '$';
}

export function backticks(reader: Reader): string {
  const end = reader.text.indexOf('`', reader.at + 1);
  const stop = end < 0 ? reader.text.length : end + 1;
  const part = reader.text.slice(reader.at, stop);
  reader.at = stop;
  return part;
}

export function singleQuoted(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end < 0) reader.faults.push("' never ends");
  const stop = end < 0 ? reader.text.length : end;
  const part = reader.text.slice(reader.at + 1, stop);
  reader.at = stop + 1;
  return part.replaceAll('$', () => reader.literalDollar);
}

/** A backslash in double quotes keeps its meaning before four characters and the line's end. */
function escapedInDouble(reader: Reader): string {
  const next = reader.text[reader.at + 1] ?? '';
  reader.at += 2;
  if (next === '$') return reader.literalDollar;
  if ('"\\`'.includes(next)) return next;
  return next === '\n' ? '' : `\\${next}`;
}

export function doubleQuoted(reader: Reader): string {
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
    else if (char === '\\') part += escapedInDouble(reader);
    else {
      part += char;
      reader.at += 1;
    }
  }
  reader.faults.push('" never ends');
  return part;
}

/** `$'…'` */
export function ansiQuoted(reader: Reader): string {
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
