import type { Head } from './importer';

const ENGINE = /^Engine: \S+ (\S+)(?: \(\S+\))?; hardware: (\S+) × (\d+)$/;
const REQUEST = /^Requests of the measured runs carry (\{.*\}); the server does not add them\.$/;

function requestOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What our own exporters write at the top of a file: engine, device and the parameters that travel with requests. */
export function readHead(comments: readonly string[]): Head | null {
  const engine = comments.map((line) => ENGINE.exec(line)).find((match) => match !== null);
  if (!engine) return null;
  const [, version = '', device = '', count = '1'] = engine;
  const request = comments.map((line) => REQUEST.exec(line)?.[1]).find((found) => found !== undefined);
  return { device, count: Number(count), version, request: request === undefined ? {} : requestOf(request) };
}
