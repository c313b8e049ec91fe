/** A block or a directive as NGINX reads it: words without their quotes, and what stands in braces. */
export interface Directive {
  words: string[];
  block: Directive[] | null;
}

/** Splits a configuration into words and the signs ; { }. Comments end at the line. Throws where a quote stays open. */
function tokens(text: string): { word: string; isSign: boolean }[] {
  const found: { word: string; isSign: boolean }[] = [];
  let i = 0;
  while (i < text.length) {
    const char = text.charAt(i);
    if (/\s/.test(char)) i += 1;
    else if (char === '#') i = text.indexOf('\n', i) < 0 ? text.length : text.indexOf('\n', i);
    else if (';{}'.includes(char)) {
      found.push({ word: char, isSign: true });
      i += 1;
    } else if (char === '"' || char === "'") {
      let end = i + 1;
      while (end < text.length && text.charAt(end) !== char) end += text.charAt(end) === '\\' ? 2 : 1;
      if (end >= text.length) throw new Error(`open quote at ${text.slice(i, i + 20)}`);
      if (!/[\s;{})]/.test(text.charAt(end + 1))) throw new Error(`no space after ${text.slice(i, end + 1)}`);
      found.push({ word: text.slice(i + 1, end).replace(/\\(.)/g, '$1'), isSign: false });
      i = end + 1;
    } else {
      const end = i + (text.slice(i).search(/[\s;{]/) < 0 ? text.length - i : text.slice(i).search(/[\s;{]/));
      found.push({ word: text.slice(i, end), isSign: false });
      i = end;
    }
  }
  return found;
}

export function readNginx(text: string): Directive[] {
  const stack: Directive[][] = [[]];
  let words: string[] = [];
  for (const { word, isSign } of tokens(text)) {
    if (!isSign) words.push(word);
    else if (word === '}') {
      if (words.length > 0 || stack.length === 1) throw new Error(`unexpected } after ${words.join(' ')}`);
      stack.pop();
    } else {
      if (words.length === 0) throw new Error(`nothing before ${word}`);
      const directive: Directive = { words, block: word === '{' ? [] : null };
      stack.at(-1)?.push(directive);
      if (directive.block !== null) stack.push(directive.block);
      words = [];
    }
  }
  if (words.length > 0 || stack.length > 1) throw new Error('the file ends inside a directive');
  return stack[0] ?? [];
}

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
  if: { in: ['server', 'location'], least: 3, most: 3, opens: 'if' },
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
};

/** Faults of a configuration: unknown directives, wrong places, wrong numbers of parameters. */
export function nginxFaults(directives: readonly Directive[], context: Context = 'main'): string[] {
  return directives.flatMap(({ words, block }): string[] => {
    const [name = '', ...parameters] = words;
    if (context === 'map' && name !== 'include') return parameters.length === 1 ? [] : [`map: ${words.join(' ')}`];
    if (name === 'server') return serverFaults(words, block, context);
    const known = DIRECTIVES[name];
    if (known === undefined) return [`unknown directive ${name}`];
    if (!known.in.includes(context)) return [`${name} in ${context}`];
    if (parameters.length < known.least || parameters.length > known.most) return [`parameters: ${words.join(' ')}`];
    if ((known.opens === undefined) !== (block === null)) return [`block: ${name}`];
    return known.opens === undefined || block === null ? [] : nginxFaults(block, known.opens);
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
