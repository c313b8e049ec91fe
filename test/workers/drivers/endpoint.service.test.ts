import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import { endpointPipeline } from '@/server/services/endpoints';
import { createEndpointDriver } from '@/workers/drivers/endpoint';
import { createDriverEnvironment } from '@/workers/drivers/environment';
import { createSecretSource } from '@/workers/drivers/secrets';
import { startSimulator } from '@/workers/simulator/simulator';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function connect(url: string) {
  const load = { inputTokens: 8, outputTokens: 4, concurrency: 1, blocks: 1, windowS: 5 };
  const document = endpointPipeline({ targets: [{ label: 'one', url, model: 'any', apiKey: null }], ...load });
  const plan = compilePipeline(document, { engines: ENGINES, rules: [] }).plans[0];
  if (!plan) throw new Error('no plan');
  const driver = createEndpointDriver(createDriverEnvironment('/nowhere', createSecretSource({}, {}), {}));
  return driver.start(plan, {}, () => {}, new AbortController().signal);
}

async function somebodysServer(): Promise<string> {
  const server = http.createServer((_req, res) =>
    res.setHeader('content-type', 'application/json').end('{"data":[{"id":"any","owned_by":"vllm"}]}'),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  stops.push(() => new Promise((done) => server.close(done)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('the endpoint driver', () => {
  it('stamps what is measured on our own simulator as SIMULATED', async () => {
    const simulator = await startSimulator({});
    stops.push(() => simulator.stop());
    expect((await connect(simulator.url)).stamp).toBe('SIMULATED');
  });
  it('stamps what is measured on any other server as MEASURED', async () => {
    expect((await connect(await somebodysServer())).stamp).toBe('MEASURED');
  });
});
