import { describe, expect, it } from 'vitest';
import { compileDocument, errorsOf, node, planOf, serving } from '@/test/fixtures/pipelines';

const pooled = (
  pools: Record<string, unknown>,
  { engine = 'vllm', count = 6, more = [] as ReturnType<typeof node>[] } = {},
) =>
  serving(
    [
      node('dep', 'deployment'),
      node('model', 'model', { model: 'Llama-3.1-8B' }),
      node('engine', 'engine', { engine }),
      node('cpu', 'hardware', { device: 'H100-SXM', count, pricePerHourUsd: 2 }),
      node('pd', 'disaggregation', pools),
      ...more,
    ],
    [
      ...[...more.map((n) => n.id), 'pd', 'dep'].map((id, i, all) => {
        const from = i === 0 ? 'model.weights' : `${all[i - 1]}.serving`;
        return `${from} > ${id}.serving`;
      }),
    ],
  );
const TWO_AND_ONE = {
  prefillReplicas: 2,
  prefillDevices: 1,
  prefillTensorParallel: 1,
  decodeReplicas: 1,
  decodeDevices: 4,
  decodeTensorParallel: 4,
};

describe('prefill and decode in pools of their own', () => {
  it('are components with devices, replicas and arguments of their own, and a router', () => {
    const plan = planOf(pooled(TWO_AND_ONE));
    expect(plan.components.map((c) => [c.name, c.role, c.replicas, c.hardware.count, c.hardware.kind])).toEqual([
      ['prefill', 'prefill', 2, 1, 'gpu'],
      ['decode', 'decode', 1, 4, 'gpu'],
      ['router', 'router', 1, 1, 'cpu'],
    ]);
    const [prefill, decode, router] = plan.components.map((c) => c.argv.join(' '));
    expect(prefill).toContain('--kv-transfer-config {"kv_connector":"NixlConnector","kv_role":"kv_producer"}');
    expect(prefill).toContain('--tensor-parallel-size 1');
    expect(decode).toContain('"kv_role":"kv_consumer"');
    expect(decode).toContain('--tensor-parallel-size 4');
    expect(router).toContain('--static-backends http://prefill-0:8000,http://prefill-1:8000,http://decode:8000');
    expect(router).toContain('--static-model-labels prefill,prefill,decode');
    expect(plan.components[0]?.env).toEqual({
      VLLM_NIXL_SIDE_CHANNEL_HOST: '{host}',
      VLLM_NIXL_SIDE_CHANNEL_PORT: '5600',
    });
    expect(plan.pricePerHourUsd).toBe(12);
    expect(plan.settings['decode.tensorParallel']?.asked).toBe(4);
  });

  it('need devices: too few are an error with the number as the fix, idle ones a warning', () => {
    const short = compileDocument(pooled(TWO_AND_ONE, { count: 2 }));
    const fault = short.findings.find((f) => f.code === 'pools-need-devices');
    expect(fault).toMatchObject({ severity: 'error', nodeId: 'cpu', field: 'count' });
    expect(fault?.fix?.edits).toEqual([{ op: 'set-param', nodeId: 'cpu', field: 'count', value: 6 }]);
    const idle = compileDocument(pooled(TWO_AND_ONE, { count: 8 }));
    expect(errorsOf(idle.findings)).toEqual([]);
    expect(idle.findings.map((f) => f.code)).toContain('pools-leave-devices');
  });

  it('refuse another degree beside theirs, and a connector that needs more than the engine', () => {
    const tp = node('tp', 'tensor-parallel', { devices: 2 });
    expect(errorsOf(compileDocument(pooled(TWO_AND_ONE, { more: [tp] })).findings)).toEqual([
      'setting-conflict@tp',
      'setting-conflict@pd',
    ]);
    const mooncake = compileDocument(pooled({ ...TWO_AND_ONE, connector: 'mooncake' }));
    expect(errorsOf(mooncake.findings)).toEqual(['pools-unsupported@pd']);
  });

  it.each([
    [
      'sglang',
      /--disaggregation-mode prefill --disaggregation-transfer-backend nixl --disaggregation-bootstrap-port 8998/,
      /--pd-disaggregation --prefill http:\/\/prefill-0:30000 8998 .*--decode http:\/\/decode:30000/,
    ],
    ['tensorrt-llm', /--config/, /trtllm-serve disaggregated -c /],
  ])('of %s take its own arguments and its own router', (engine, member, router) => {
    const plan = planOf(pooled(TWO_AND_ONE, { engine }));
    expect(plan.components.map((c) => c.role)).toEqual(['prefill', 'decode', 'router']);
    expect(plan.components[0]?.argv.join(' ')).toMatch(member);
    expect(plan.components[2]?.argv.join(' ')).toMatch(router);
    for (const { config, files } of plan.components.slice(0, 2)) {
      for (const { path } of config) expect(files[0]?.content).toContain(path.split('.').at(-1));
    }
  });

  it('of LMDeploy report to its proxy, with the PyTorch backend and Mooncake', () => {
    const document = pooled({ ...TWO_AND_ONE, connector: 'mooncake' }, { engine: 'lmdeploy' });
    const nodes = document.nodes.map((n) =>
      n.id === 'engine' ? { ...n, params: { ...n.params, runtime: 'pytorch' } } : n,
    );
    const plan = planOf({ ...document, nodes });
    expect(plan.components[1]?.argv.join(' ')).toMatch(
      /--role Decode --migration-backend Mooncake --proxy-url http:\/\/router:23333/,
    );
    expect(plan.components[2]?.argv).toEqual(['lmdeploy', 'serve', 'proxy', '--serving-strategy', 'DistServe']);
    const turbomind = nodes.map((n) =>
      n.id === 'engine' ? { ...n, params: { ...n.params, runtime: 'turbomind' } } : n,
    );
    expect(errorsOf(compileDocument({ ...document, nodes: turbomind }).findings)).toContain('pools-unsupported@pd');
  });

  it('are refused by an engine that hands over no cache', () => {
    const { findings, plans } = compileDocument(pooled(TWO_AND_ONE, { engine: 'llama.cpp' }));
    expect(errorsOf(findings)).toContain('pools-unsupported@pd');
    expect(plans.find((p) => p.deployment === 'dep')).toBeUndefined();
  });
});
