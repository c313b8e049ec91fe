import type { OwnModel } from '@/server/core/facts/own-model';
import type { ReadModel } from '@/server/core/facts/read-config-json';

/** Facts, or the reason why there are none. */
export type Described = { own: OwnModel; problem: null } | { own: null; problem: string };

/** The header stands first and has the vocabulary, some megabytes; the weights behind it are not read. */
const FIRST_BYTES = 4 * 2 ** 20;
const MOST_BYTES = 256 * 2 ** 20;
const MAGIC = 'GGUF';
/** Beyond this no file is a config.json. */
const TEXT_BYTES = 10_000_000;

const problem = (sentence: string): Described => ({ own: null, problem: sentence });

export const describedFrom = ({ own, findings }: ReadModel): Described =>
  own ? { own, problem: null } : problem(findings.map(({ message }) => message).join(' '));

/** A config.json, or facts in our own form. */
export async function describeText(source: string): Promise<Described> {
  const [{ ownModelSchema }, { readConfigJson }] = await Promise.all([
    import('@/server/core/facts/own-model'),
    import('@/server/core/facts/read-config-json'),
  ]);
  const read = describedFrom(readConfigJson(source));
  if (read.own) return read;
  let facts: unknown;
  try {
    facts = JSON.parse(source);
  } catch {
    return read;
  }
  const parsed = ownModelSchema.safeParse(facts);
  if (parsed.success) return { own: parsed.data, problem: null };
  const isOurs = typeof facts === 'object' && facts !== null && 'layers' in facts && 'hidden' in facts;
  return isOurs
    ? problem(parsed.error.issues.map((issue) => `${issue.path.join('.') || 'facts'}: ${issue.message}.`).join(' '))
    : read;
}

async function describeGguf(file: Blob): Promise<Described> {
  const { readGgufModel } = await import('@/server/core/facts/read-gguf-header');
  for (let bytes = FIRST_BYTES; ; bytes *= 4) {
    const read = readGgufModel(new Uint8Array(await file.slice(0, bytes).arrayBuffer()));
    if (read.more === null || bytes >= Math.min(file.size, MOST_BYTES)) return describedFrom(read);
    bytes = Math.max(bytes, Math.ceil(read.more / 4));
  }
}

/** Reads a file of this computer here in the browser: a config.json whole, of a GGUF file the header. */
export async function describeFile(file: File): Promise<Described> {
  try {
    const isGguf = (await file.slice(0, MAGIC.length).text()) === MAGIC;
    if (isGguf) return named(file, await describeGguf(file));
    if (file.size <= TEXT_BYTES) return named(file, await describeText(await file.text()));
    return problem(`${file.name} is neither a GGUF file nor a config.json: open the config.json beside the weights.`);
  } catch (error) {
    return problem(`${file.name} could not be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

const named = (file: File, read: Described): Described => (read.own ? read : problem(`${file.name}: ${read.problem}`));

/** The page of a repository or of one of its files. */
const HUB_PAGE =
  /^https?:\/\/(?:www\.)?(?:huggingface\.co|hf\.co)\/([\w.-]+\/[\w.-]+)(?:\/(?:tree|blob|resolve)\/([^/?#]+)(?:\/([^?#]+))?)?\/?(?:[?#].*)?$/;

/** What the server is asked for: a repository, also by the address of its page, or a file. */
export function sourceOfPlace(place: string): { repo: string; revision?: string } | { url: string } {
  const typed = place.trim();
  const page = HUB_PAGE.exec(typed);
  if (page === null) return /^https?:/.test(typed) ? { url: typed } : { repo: typed.replace(/^hf:(?:\/\/)?/, '') };
  const [, repo = '', revision, path] = page;
  if (path !== undefined && path !== 'config.json') {
    return { url: `https://huggingface.co/${repo}/resolve/${revision ?? 'main'}/${path}` };
  }
  return revision === undefined ? { repo } : { repo, revision };
}
