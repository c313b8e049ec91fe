/** A block or a directive as NGINX reads it: words without their quotes, and what stands in braces. */
export interface Directive {
  words: string[];
  block: Directive[] | null;
}

type Token = { word: string; isSign: boolean };

/** A comment, a quoted word (what follows it must be able to follow), a sign, or a bare word. */
const TOKEN =
  /\s+|#[^\n]*|"((?:[^"\\]|\\.)*)"(?=[\s;{})])|'((?:[^'\\]|\\.)*)'(?=[\s;{})])|([;{}])|([^\s;{}"'#][^\s;{]*)/gsy;

/** Splits a configuration into words and the signs ; { }. Throws where a quote stays open. */
function tokens(text: string): Token[] {
  const found: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, double, single, sign, bare] = match;
    end = match.index + all.length;
    const quoted = double ?? single;
    if (sign !== undefined) found.push({ word: sign, isSign: true });
    else if (quoted !== undefined) found.push({ word: quoted.replace(/\\(.)/gs, '$1'), isSign: false });
    else if (bare !== undefined) found.push({ word: bare, isSign: false });
  }
  if (end !== text.length) throw new Error(`cannot be read from: ${text.slice(end, end + 30)}`);
  return found;
}

/** Reads directives up to the brace that closes the block, or the end of the file. */
function readBlock(list: readonly Token[], start: number, isInner: boolean): { directives: Directive[]; end: number } {
  const directives: Directive[] = [];
  let words: string[] = [];
  let i = start;
  for (; i < list.length; i += 1) {
    const token = list[i];
    if (token === undefined) break;
    if (!token.isSign) {
      words.push(token.word);
      continue;
    }
    if (token.word === '}') break;
    if (words.length === 0) throw new Error(`nothing before ${token.word}`);
    const inner = token.word === '{' ? readBlock(list, i + 1, true) : null;
    directives.push({ words, block: inner?.directives ?? null });
    words = [];
    i = inner?.end ?? i;
  }
  if (words.length > 0) throw new Error(`no end after ${words.join(' ')}`);
  if (i < list.length !== isInner) throw new Error('braces do not match');
  return { directives, end: i };
}

export const readNginx = (text: string): Directive[] => readBlock(tokens(text), 0, false).directives;

type Context = 'main' | 'events' | 'http' | 'map' | 'upstream' | 'server' | 'location' | 'if';
const SERVING: readonly Context[] = ['http', 'server', 'location'];

/** Where each directive may stand and how many parameters it takes: nginx.org/en/docs, read for 1.22 to 1.28. */
const DIRECTIVES: Readonly<Record<string, { in: readonly Context[]; least: number; most: number; opens?: Context }>> = {
  worker_processes: { in: ['main'], least: 1, most: 1 },
  events: { in: ['main'], least: 0, most: 0, opens: 'events' },
  worker_connections: { in: ['events'], least: 1, most: 1 },
  http: { in: ['main'], least: 0, most: 0, opens: 'http' },
  map: { in: ['http'], least: 2, most: 2, opens: 'map' },
  limit_req_zone: { in: ['http'], least: 3, most: 3 },
  limit_conn_zone: { in: ['http'], least: 2, most: 2 },
  limit_req_status: { in: SERVING, least: 1, most: 1 },
  limit_conn_status: { in: SERVING, least: 1, most: 1 },
  upstream: { in: ['http'], least: 1, most: 1, opens: 'upstream' },
  zone: { in: ['upstream'], least: 1, most: 2 },
  least_conn: { in: ['upstream'], least: 0, most: 0 },
  hash: { in: ['upstream'], least: 1, most: 2 },
  keepalive: { in: ['upstream'], least: 1, most: 1 },
  listen: { in: ['server'], least: 1, most: 4 },
  client_max_body_size: { in: SERVING, least: 1, most: 1 },
  error_page: { in: SERVING, least: 2, most: 6 },
  location: { in: ['server', 'location'], least: 1, most: 2, opens: 'location' },
  default_type: { in: SERVING, least: 1, most: 1 },
  add_header: { in: SERVING, least: 2, most: 3 },
  if: { in: ['server', 'location'], least: 3, most: 4, opens: 'if' },
  return: { in: ['server', 'location', 'if'], least: 1, most: 2 },
  limit_req: { in: SERVING, least: 1, most: 3 },
  limit_conn: { in: SERVING, least: 2, most: 2 },
  include: { in: ['main', 'http', 'map', 'server', 'location'], least: 1, most: 1 },
  proxy_pass: { in: ['location', 'if'], least: 1, most: 1 },
  proxy_http_version: { in: SERVING, least: 1, most: 1 },
  proxy_set_header: { in: SERVING, least: 2, most: 2 },
  proxy_ssl_server_name: { in: SERVING, least: 1, most: 1 },
  proxy_ssl_name: { in: SERVING, least: 1, most: 1 },
  proxy_buffering: { in: SERVING, least: 1, most: 1 },
  proxy_cache: { in: SERVING, least: 1, most: 1 },
  gzip: { in: SERVING, least: 1, most: 1 },
  proxy_read_timeout: { in: SERVING, least: 1, most: 1 },
  proxy_send_timeout: { in: SERVING, least: 1, most: 1 },
  proxy_connect_timeout: { in: SERVING, least: 1, most: 1 },
  proxy_next_upstream: { in: SERVING, least: 1, most: 9 },
  proxy_next_upstream_tries: { in: SERVING, least: 1, most: 1 },
};

/** What is wrong with one directive where it stands; null: nothing. */
function faultOf({ words, block }: Directive, context: Context): string | null {
  const [name = '', ...parameters] = words;
  const known = DIRECTIVES[name];
  if (known === undefined) return `unknown directive ${name}`;
  if (!known.in.includes(context)) return `${name} in ${context}`;
  if (parameters.length < known.least || parameters.length > known.most) return `parameters: ${words.join(' ')}`;
  return (known.opens === undefined) === (block === null) ? null : `block: ${name}`;
}

/** Faults of a configuration: unknown directives, wrong places, wrong numbers of parameters. */
export function nginxFaults(directives: readonly Directive[], context: Context = 'main'): string[] {
  return directives.flatMap((directive): string[] => {
    const { words, block } = directive;
    const [name = ''] = words;
    if (context === 'map' && name !== 'include') return words.length === 2 ? [] : [`map: ${words.join(' ')}`];
    if (name === 'server') return serverFaults(words, block, context);
    const fault = faultOf(directive, context);
    const opens = DIRECTIVES[name]?.opens;
    if (fault !== null) return [fault];
    return opens === undefined || block === null ? [] : nginxFaults(block, opens);
  });
}

/** `server` opens a block in http and names an address in upstream. */
function serverFaults(words: readonly string[], block: Directive[] | null, context: Context): string[] {
  if (context === 'http') return block === null || words.length > 1 ? ['server'] : nginxFaults(block, 'server');
  return context === 'upstream' && block === null && words.length > 1 ? [] : [`server in ${context}`];
}

/** Every directive of that name, wherever it stands. */
export const findDirectives = (directives: readonly Directive[], name: string): string[][] =>
  directives.flatMap(({ words, block }) => [
    ...(words[0] === name ? [words.slice(1)] : []),
    ...(block === null ? [] : findDirectives(block, name)),
  ]);
