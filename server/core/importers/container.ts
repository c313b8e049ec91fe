import type { Invocation } from './importer';

/** Options of `docker run` that take no value. */
const BARE = new Set([
  '-d',
  '--detach',
  '-i',
  '--interactive',
  '-t',
  '--tty',
  '--rm',
  '--init',
  '--privileged',
  '--read-only',
  '-P',
  '--publish-all',
  '--no-healthcheck',
  '--oom-kill-disable',
]);
const isBare = (word: string): boolean => BARE.has(word) || /^-[dit]{2,3}$/.test(word);

export interface ContainerRun {
  image: string;
  entrypoint: string[];
  rest: string[];
  env: Record<string, string>;
  devices: Invocation['devices'];
  /** Options without a place in the graph, as written. */
  others: string[];
}

/** `--gpus 2`, `all`, `device=0,1` */
export function devicesOf(text: string): Invocation['devices'] {
  const plain = text.replaceAll(/["']/g, '');
  if (plain === 'all') return 'all';
  if (/^(?:count=)?\d+$/.test(plain)) return Number(plain.replace('count=', ''));
  const listed = /device=([\w,:-]+)/.exec(plain)?.[1];
  return listed === undefined ? 'all' : listed.split(',').filter((part) => part !== '').length;
}

function assignment(text: string, env: Record<string, string>): void {
  const at = text.indexOf('=');
  // A name alone passes the variable of the host on.
  env[at < 0 ? text : text.slice(0, at)] = at < 0 ? `$${text}` : text.slice(at + 1);
}

/** One option of `docker run` into the run. */
function readOption(run: ContainerRun, option: string, value: string): void {
  if (option === '-e' || option === '--env') assignment(value, run.env);
  else if (option === '--gpus') run.devices = devicesOf(value);
  else if (option === '--entrypoint') run.entrypoint = value === '' ? [] : [value];
  else run.others.push(`${option} ${value}`);
}

/** Reads what follows `docker run`; null where no image is named. */
export function readContainerRun(words: readonly string[]): ContainerRun | null {
  const run: ContainerRun = { image: '', entrypoint: [], rest: [], env: {}, devices: null, others: [] };
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) break;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    if (isBare(word)) run.others.push(word);
    else if (equals >= 0) readOption(run, word.slice(0, equals), word.slice(equals + 1));
    else readOption(run, word, words[++i] ?? '');
  }
  const image = words[i];
  return image === undefined ? null : { ...run, image, rest: words.slice(i + 1) };
}

/** Version in an image's tag; null for `latest`, a digest or a tag of another kind. */
export function versionOfImage(image: string): string | null {
  const tag = /:([\w][\w.-]*)(?:@|$)/.exec(image.split('/').pop() ?? '')?.[1] ?? '';
  return /(?:^|-)(b\d{3,})$/.exec(tag)?.[1] ?? /^v?(\d+\.\d+(?:\.\d+)?(?:\.?(?:post|rc)\d+)?)/.exec(tag)?.[1] ?? null;
}
