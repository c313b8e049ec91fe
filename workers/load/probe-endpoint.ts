import { SIMULATOR_OWNER } from '../simulator/owner';
import { endpointUrl } from './client';

/** What an OpenAI-compatible server says of itself. */
export interface EndpointFacts {
  models: string[];
  /** It is our own simulator: nothing measured on it is a measurement. */
  isSimulator: boolean;
}

/**
 * Lists the models; many servers have no such route, which is no fault: null then.
 * @throws when nothing answers at the address, or the key is refused
 */
export async function probeEndpoint(url: string, apiKey: string | null): Promise<EndpointFacts | null> {
  const models = new URL(endpointUrl(url, 'completions').href.replace(/completions$/, 'models'));
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const response = await fetch(models, { headers, signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    const { cause } = error;
    throw new Error(`nothing answers at ${url}: ${cause instanceof Error ? cause.message : error.message}`);
  });
  if (response.status === 401 || response.status === 403) {
    throw new Error(`${url} refuses the API key (HTTP ${response.status})`);
  }
  if (!response.ok) return null;
  const body = (await response.json().catch(() => null)) as { data?: { id?: unknown; owned_by?: unknown }[] } | null;
  if (!Array.isArray(body?.data)) return null;
  return {
    models: body.data.flatMap((model) => (typeof model.id === 'string' ? [model.id] : [])),
    isSimulator: body.data.some((model) => model.owned_by === SIMULATOR_OWNER),
  };
}
