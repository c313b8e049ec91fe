/** One word of a unit file: quoted parts, escapes and plain characters side by side. Source: systemd.syntax(7). */
const WORD = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[^\s"'\\])+/gs;
const PART = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:\\.|[^"'\\])+)/gs;
const ESCAPE = /\\(x[0-9A-Fa-f]{2}|.)/gs;

const CONTROL: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  s: ' ',
};

const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (CONTROL[code] ?? code),
  );

/** Words of a value in a unit file; a doubled percent sign is one. Quotes that never end are passed over. */
export const unitWords = (value: string): string[] =>
  [...value.matchAll(WORD)].map(([word]) =>
    [...word.matchAll(PART)]
      .map(([, double, single, plain]) => unescaped(double ?? single ?? plain ?? ''))
      .join('')
      .replaceAll('%%', '%'),
  );
