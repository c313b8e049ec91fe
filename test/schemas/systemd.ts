/** Sections of a unit file: lines `name=value` in order, continued lines joined, comments gone (systemd.syntax(7)). */
export function readUnit(text: string): Record<string, [name: string, value: string][]> {
  const sections: Record<string, [string, string][]> = {};
  let current: [string, string][] | null = null;
  let open: string | null = null;
  for (const raw of text.split('\n')) {
    if (/^\s*[#;]/.test(raw)) continue;
    const line: string = open === null ? raw : `${open} ${raw.trim()}`;
    open = null;
    if (line.trim() === '') continue;
    if (line.endsWith('\\')) {
      open = line.slice(0, -1).trimEnd();
      continue;
    }
    const section = /^\[(\w+)\]$/.exec(line)?.[1];
    if (section !== undefined) {
      current = [];
      sections[section] = current;
      continue;
    }
    const [, name, value] = /^(\w+)=(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined || current === null) throw new Error(`no assignment: ${line}`);
    current.push([name, value]);
  }
  if (open !== null) throw new Error('the file ends in a continued line');
  return sections;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'", s: ' ' };

/** One word unescaped as systemd does: C escapes, then `%%`; any other specifier is an error. */
function readEscapes(word: string): string {
  const plain = word.replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (all, hex: string | undefined, char: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const known = ESCAPES[char ?? ''];
    if (known === undefined) throw new Error(`unknown escape ${all}`);
    return known;
  });
  return plain.replace(/%(.)/gs, (all, char: string) => {
    if (char !== '%') throw new Error(`specifier ${all}`);
    return '%';
  });
}

/** Words of a value: quotes group, `$$` means a dollar; `${NAME}` is looked up. A bare `;` would end the command. */
export function unitWords(value: string, environment: Readonly<Record<string, string>> = {}): string[] {
  const found: { word: string; isBare: boolean }[] = [];
  let end = 0;
  for (const match of value.matchAll(/\s+|"((?:[^"\\]|\\.)*)"(?=\s|$)|([^\s"]+)(?=\s|$)/gsy)) {
    end = match.index + match[0].length;
    const [, quoted, bare] = match;
    if (quoted !== undefined) found.push({ word: quoted, isBare: false });
    else if (bare !== undefined) found.push({ word: bare, isBare: true });
  }
  if (end !== value.length) throw new Error(`cannot be split from: ${value.slice(end)}`);
  return found.map(({ word, isBare }) => {
    if (isBare && word === ';') throw new Error('a bare ;');
    return readEscapes(word)
      .split('$$')
      .map((part) =>
        part.replace(/\$\{?(\w+)\}?/g, (all, name: string) => {
          const known = environment[name];
          if (known === undefined) throw new Error(`variable ${all}`);
          return known;
        }),
      )
      .join('$');
  });
}
