import { lookup as resolve } from 'node:dns';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { refusedAddress } from './public-address';

export interface SafeFetchOptions {
  headers?: Readonly<Record<string, string>>;
  /** What is read of the body at most; a longer one is cut off (`cut`) or refused. */
  maxBytes: number;
  onExcess?: 'cut' | 'refuse';
  /** For the whole exchange, redirects included. */
  timeoutMs?: number;
  /** Private networks too: for the command line on one's own machine, and for tests. */
  allowPrivate?: boolean;
}

export interface SafeResponse {
  status: number;
  url: string;
  headers: IncomingMessage['headers'];
  body: Uint8Array;
}

/** The request was not made, or was broken off; the message says why and names the address. */
export class UnsafeFetchError extends Error {}

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Resolves and judges at the moment of connecting: what was checked is what is used. */
const checkedLookup =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '', 4);
        return;
      }
      const refusals = addresses.map(({ address }) => refusedAddress(address, allowPrivate));
      const [first] = addresses;
      // One bad address of several is enough: the choice between them is not ours.
      const bad = refusals.findIndex((refusal) => refusal !== null);
      if (first === undefined || bad >= 0) {
        const why =
          first === undefined ? 'has no address' : `resolves to ${addresses[bad]?.address}, which ${refusals[bad]}`;
        callback(new UnsafeFetchError(`${hostname} ${why}`), '', 4);
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

function checkUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new UnsafeFetchError(`${text} is no URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UnsafeFetchError(`${url.protocol}// is not fetched, only http and https`);
  }
  if (url.username !== '' || url.password !== '') throw new UnsafeFetchError('a URL with a password is not fetched');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // The resolver is not asked about literal addresses.
  const refusal = isIP(host) === 0 ? null : refusedAddress(host, allowPrivate);
  if (refusal !== null) throw new UnsafeFetchError(`${host} ${refusal}`);
  return url;
}

function readBody(response: IncomingMessage, { maxBytes, onExcess }: SafeFetchOptions): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      response.destroy();
      if (onExcess === 'cut') done(Buffer.concat(chunks).subarray(0, maxBytes));
      else fail(new UnsafeFetchError(`the answer is longer than ${maxBytes} bytes`));
    });
    response.on('end', () => done(Buffer.concat(chunks)));
    response.on('error', fail);
    response.on('close', () => fail(new UnsafeFetchError('the connection ended within the answer')));
  });
}

function request(url: URL, options: SafeFetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const settings: RequestOptions = {
    method: 'GET',
    headers: { 'accept-encoding': 'identity', ...options.headers },
    lookup: checkedLookup(options.allowPrivate ?? false),
    signal,
    agent: false,
  };
  return new Promise((done, fail) => {
    const sent = (url.protocol === 'https:' ? https : http).request(url, settings, done);
    sent.on('error', fail);
    sent.end();
  });
}

/**
 * GET of an address that a user gave: http(s) only, the address judged when connecting, redirects judged again, bytes
 * and seconds bounded. Throws UnsafeFetchError where it may not or does not work.
 */
export async function safeFetch(address: string, options: SafeFetchOptions): Promise<SafeResponse> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.timeout(timeoutMs);
  let url = checkUrl(address, options.allowPrivate ?? false);
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await request(url, options, signal);
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (!REDIRECTS.includes(status) || location === undefined) {
        return { status, url: url.href, headers: response.headers, body: await readBody(response, options) };
      }
      response.destroy();
      url = checkUrl(new URL(location, url).href, options.allowPrivate ?? false);
    }
  } catch (error) {
    if (error instanceof UnsafeFetchError) throw error;
    const why = signal.aborted
      ? `no answer within ${timeoutMs} ms`
      : error instanceof Error
        ? error.message
        : String(error);
    throw new UnsafeFetchError(`${url.host}: ${why}`);
  }
  throw new UnsafeFetchError(`${address} redirects more than ${MAX_REDIRECTS} times`);
}
