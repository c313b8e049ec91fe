import type { Page } from '@playwright/test';
import superjson from 'superjson';

/** Calls the API as the signed-in page does: same cookies, same origin, same encoding. */
export async function callApi<T>(
  page: Page,
  procedure: string,
  input: unknown,
  kind: 'query' | 'mutation' = 'query',
): Promise<T> {
  const body = superjson.serialize(input);
  const answer = await page.evaluate(
    async ([name, json, how]) => {
      const url = how === 'query' ? `/api/trpc/${name}?input=${encodeURIComponent(json)}` : `/api/trpc/${name}`;
      const init =
        how === 'query' ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: json };
      const response = await fetch(url, init);
      return { status: response.status, text: await response.text() };
    },
    [procedure, JSON.stringify(body), kind] as const,
  );
  if (answer.status !== 200) throw new Error(`${procedure}: ${answer.status} ${answer.text}`);
  return superjson.deserialize(JSON.parse(answer.text).result.data);
}

const WORKLOAD = {
  name: 'Short',
  role: 'target',
  endpoint: 'completions',
  inputTokens: 48,
  outputTokens: 16,
  mode: 'closed',
  concurrency: 2,
  warmupS: 1,
  windowS: 3,
};

/** Two small deployments on the demo model; the second has nothing at its serving port unless `whole`. */
export function smallPipeline({ whole = true, blocks = 1, windowS = 3 } = {}) {
  const at = (x: number, y: number) => ({ x, y });
  const edge = (node: string, port: string, to: string, toPort: string) => ({
    from: { node, port },
    to: { node: to, port: toPort },
  });
  const both = ['base', 'q8'];
  return {
    version: 1,
    nodes: [
      { id: 'load', type: 'workload', params: { ...WORKLOAD, windowS }, position: at(0, 0) },
      { id: 'model', type: 'model', params: { model: 'inferloom-demo' }, position: at(0, 160) },
      ...(whole
        ? [
            {
              id: 'gguf',
              type: 'gguf-quantization',
              params: { type: 'Q8_0', source: 'recipe' },
              position: at(240, 260),
            },
          ]
        : []),
      { id: 'engine', type: 'engine', params: { engine: 'llama.cpp', runtime: 'embedded' }, position: at(240, 400) },
      { id: 'cpu', type: 'hardware', params: { device: 'cpu-local', count: 1 }, position: at(240, 500) },
      {
        id: 'base',
        type: 'deployment',
        params: { name: 'F16', baseline: true, blocks, primaryMetrics: ['outputTokensPerS'] },
        position: at(560, 120),
      },
      {
        id: 'q8',
        type: 'deployment',
        params: { name: 'Q8_0', blocks, primaryMetrics: ['outputTokensPerS'] },
        position: at(560, 300),
      },
    ],
    edges: [
      edge('model', 'weights', 'base', 'serving'),
      ...(whole ? [edge('model', 'weights', 'gguf', 'weights'), edge('gguf', 'weights', 'q8', 'serving')] : []),
      ...both.flatMap((id) => [edge('engine', 'engine', id, 'engine'), edge('cpu', 'hardware', id, 'hardware')]),
    ],
  };
}

/** Stores a pipeline and gives its id. */
export const createPipeline = async (page: Page, name: string, document: unknown): Promise<string> =>
  (await callApi<{ id: string }>(page, 'pipelines.create', { name, document }, 'mutation')).id;

/** Starts every plan of a stored pipeline and gives the experiment's id; throws with the findings if it was refused. */
export async function startExperiment(page: Page, pipelineId: string): Promise<string> {
  const answer = await callApi<{ started: boolean; experimentId?: string }>(
    page,
    'experiments.start',
    { pipelineId },
    'mutation',
  );
  if (!answer.experimentId) throw new Error(`not started: ${JSON.stringify(answer)}`);
  return answer.experimentId;
}
