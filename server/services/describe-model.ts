import { type ReadModel, readConfigJson } from '../core/facts/read-config-json';
import { readGgufModel } from '../core/facts/read-gguf-header';
import { type Finding, finding } from '../core/plan/finding';
import { type SafeFetchOptions, type SafeResponse, safeFetch, UnsafeFetchError } from './safe-fetch';

interface DescribeOptions {
  /** Where repositories lie; another one for a mirror, and for tests. */
  hubUrl?: string;
  allowPrivate?: boolean;
}

const HUB_URL = 'https://huggingface.co';
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;
const REVISION = /^[\w.\-/]{1,100}$/;
const CONFIG_BYTES = 10_000_000;
/** A header has some megabytes of vocabulary; past the last step it is no header. */
const HEADER_STEPS = [1, 4, 16, 64].map((mebibytes) => mebibytes * 2 ** 20);

const fail = (message: string): ReadModel => {
  const findings: Finding[] = [finding('error', 'model-not-described', message, { field: 'facts' })];
  return { own: null, findings };
};

const STATUS: Readonly<Record<number, string>> = {
  401: 'asks for a sign-in: accept its licence there, download config.json and paste it',
  403: 'asks for a sign-in: accept its licence there, download config.json and paste it',
  404: 'is not there',
  429: 'asks to be called less often',
};

const refusal = (response: SafeResponse): ReadModel =>
  fail(`${response.url} ${STATUS[response.status] ?? `answered with status ${response.status}`}.`);

async function describeConfig(url: string, options: DescribeOptions): Promise<ReadModel> {
  const response = await safeFetch(url, { maxBytes: CONFIG_BYTES, ...limits(options) });
  if (response.status !== 200) return refusal(response);
  return readConfigJson(new TextDecoder().decode(response.body));
}

const limits = ({ allowPrivate = false }: DescribeOptions): Pick<SafeFetchOptions, 'allowPrivate'> => ({
  allowPrivate,
});

/** Reads as much of the file as its header needs; a server without ranges is cut off. */
async function describeGguf(url: string, options: DescribeOptions): Promise<ReadModel> {
  for (const bytes of HEADER_STEPS) {
    const headers = { range: `bytes=0-${bytes - 1}` };
    const response = await safeFetch(url, { headers, maxBytes: bytes, onExcess: 'cut', ...limits(options) });
    if (response.status !== 200 && response.status !== 206) return refusal(response);
    const { more, own, findings } = readGgufModel(response.body);
    const isWhole = response.body.byteLength < bytes;
    if (more === null || isWhole) return { own, findings };
  }
  return fail(`The header of ${url} is longer than ${HEADER_STEPS.at(-1)} bytes.`);
}

/**
 * Facts of a model elsewhere: a Hugging Face repository (`owner/name`, its config.json), the URL of a config.json, or
 * of a GGUF file, of which only the header is read. What goes wrong is a finding.
 */
export async function describeModel(
  source: { repo: string; revision?: string | null } | { url: string },
  options: DescribeOptions = {},
): Promise<ReadModel> {
  try {
    if ('url' in source) {
      const path = URL.canParse(source.url) ? new URL(source.url).pathname : '';
      return await (path.toLowerCase().endsWith('.gguf') ? describeGguf : describeConfig)(source.url, options);
    }
    const revision = source.revision ?? 'main';
    if (!REPOSITORY.test(source.repo)) return fail(`"${source.repo}" is no repository: write owner/name.`);
    if (!REVISION.test(revision) || revision.includes('..')) return fail(`"${revision}" is no revision.`);
    const hub = options.hubUrl ?? HUB_URL;
    return await describeConfig(`${hub}/${source.repo}/resolve/${revision}/config.json`, options);
  } catch (error) {
    if (error instanceof UnsafeFetchError) return fail(`Not fetched: ${error.message}.`);
    throw error;
  }
}
