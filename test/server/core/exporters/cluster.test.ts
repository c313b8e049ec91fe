import { describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';
import { checkpointsOf, type Evidence } from '@/server/core/exporters/evidence';
import { exportPlan } from '@/server/core/exporters/export-plans';
import type { Exported, Exporter } from '@/server/core/exporters/exporter';
import { EXPORTERS } from '@/server/core/exporters/index';
import type { Plan } from '@/server/core/plan/plan';
import { fp8On, llamaOnCpu, onTwo, pools, SCALING, vllmOn, withPolicies } from '@/test/fixtures/cluster-plans';
import { containerWords, objectsIn } from '@/test/fixtures/manifest-words';
import { checkDocument, checkFile, documentsOf } from '@/test/schemas/check-file';

const form = (id: string): Exporter => {
  const found = EXPORTERS.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no exporter ${id}`);
  return found;
};
const written = (plan: Plan, id: string): Exported => exportPlan(plan, form(id), ENGINES);
const file = (plan: Plan, id: string, path: string): string => {
  const found = written(plan, id).files.find((entry) => entry.path === path);
  if (found === undefined) throw new Error(`${id} writes no ${path}`);
  return found.content;
};

const scaled = withPolicies(vllmOn('H100-SXM', 2), { scaling: SCALING });
const pooled = pools('vllm');
const PLANS: Readonly<Record<string, Plan>> = {
  'vllm-scaled': scaled,
  'vllm-fp8-tp2': fp8On('vllm', 'H100-SXM'),
  'vllm-16-gpus': vllmOn('H100-SXM', 16),
  'vllm-pools': pooled,
  'sglang-fp8-tp2': fp8On('sglang', 'H100-SXM'),
  'sglang-pools': pools('sglang'),
  'tensorrt-fp8-tp2': fp8On('tensorrt-llm', 'B200-SXM', 'nvidia/Llama-3.1-8B-Instruct-FP8'),
  'tensorrt-pools': pools('tensorrt-llm'),
  'tgi-tp2': onTwo('tgi', 'L40S'),
  'llama-cpu': llamaOnCpu(),
};
const CLUSTER = EXPORTERS.filter(({ group }) => group === 'cluster' || group === 'container');
const CASES = CLUSTER.flatMap((exporter) =>
  Object.entries(PLANS).map(([name, plan]) => [exporter.id, name, plan] as const),
);

describe('golden files', () => {
  it.each(CASES)('%s of %s', async (id, name, plan) => {
    const { files, findings } = written(plan, id);
    expect(written(plan, id)).toEqual({ files, findings });
    if (files.length === 0) expect(findings).toMatchObject([{ severity: 'error', code: 'export-refused' }]);
    for (const { path, content } of files) {
      expect(checkFile(id, { path, content })).toEqual([]);
      await expect(content).toMatchFileSnapshot(`../../../golden/exports/cluster/${id}/${name}.${path}`);
    }
  });

  it('holds each form for at least one plan', () => {
    const held = new Set(CASES.filter(([id, , plan]) => form(id).supports(plan)).map(([id]) => id));
    expect([...held].sort()).toEqual(CLUSTER.map(({ id }) => id).sort());
    expect(held.size).toBe(9);
  });
});

describe('schemas', () => {
  it.each(CLUSTER.map(({ id }) => id))('of %s fail on a misspelt field anywhere but in free maps', (id) => {
    const plan = Object.values(PLANS).find((entry) => form(id).supports(entry));
    const files = plan === undefined ? [] : written(plan, id).files;
    const tried = files.flatMap(({ path, content }) =>
      documentsOf(content).flatMap((data) =>
        misspellings(data).map(([place, changed]) => ({ place, faults: checkDocument(id, path, changed) })),
      ),
    );
    expect(tried.filter(({ faults }) => faults.length === 0)).toEqual([]);
    expect(tried.length).toBeGreaterThan(10);
  });

  it('refuse an image that moves', () => {
    const content = file(scaled, 'kubernetes', 'kubernetes.yaml').replace(/vllm-openai:v[\d.]+/g, 'vllm-openai:latest');
    expect(checkFile('kubernetes', { path: 'kubernetes.yaml', content }).length).toBeGreaterThan(0);
  });
});

/** Maps whose keys are names that somebody chose. */
const FREE =
  /^(labels|annotations|matchLabels|nodeSelector|limits|requests|data|selector|rayStartParams|secrets|engine_kwargs|accelerators|services|environment|volumes|configs|depends_on|ulimits)$/;

type Change = [place: string, changed: unknown];

/** Copies of a document with one key misspelt, and where. */
function misspellings(value: unknown, place = ''): Change[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) =>
      misspellings(item, `${place}[${i}]`).map(([where, changed]): Change => [where, value.with(i, changed)]),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]): Change[] => {
    const { [key]: _, ...others } = value as Record<string, unknown>;
    const own: Change = [`${place}.${key}`, { ...others, [`${key}x`]: item }];
    const deeper = insideOf(key, item, `${place}.${key}`);
    return [own, ...deeper.map(([where, changed]): Change => [where, { ...value, [key]: changed }])];
  });
}

/** Keywords of an engine may nest anything; a free map's own keys may be anything, those of its values not. */
function insideOf(key: string, item: unknown, place: string): Change[] {
  if (key === 'engine_kwargs') return [];
  return FREE.test(key) && !('matchLabels' in Object(item)) ? insideFree(item) : misspellings(item, place);
}

/** The same for the values of a free map. */
function insideFree(map: unknown): Change[] {
  if (typeof map !== 'object' || map === null) return [];
  return Object.entries(map).flatMap(([name, item]) =>
    misspellings(item, name).map(([where, changed]): Change => [where, { ...map, [name]: changed }]),
  );
}

describe('arguments', () => {
  const HOST = ['--host', '0.0.0.0', '--port', '8000'];
  const LWS = ['--nnodes', '2', '--node-rank', '$(LWS_WORKER_INDEX)', '--master-addr', '$(LWS_LEADER_ADDRESS)'];

  it('are those of the plan, then the fixed ones', () => {
    const argv = scaled.argv ?? [];
    expect(containerWords(file(scaled, 'kubernetes', 'kubernetes.yaml'), 'server')).toEqual([[...argv, ...HOST]]);
    const kserve = file(scaled, 'kserve-inference-service', 'inference-service.yaml');
    expect(containerWords(kserve, 'kserve-container')).toEqual([[...argv, ...HOST]]);
  });

  it('join the pods of one replica', () => {
    const plan = PLANS['vllm-16-gpus'];
    const argv = plan?.argv ?? [];
    const [leader, worker] =
      plan === undefined ? [] : containerWords(file(plan, 'kubernetes', 'kubernetes.yaml'), 'server');
    expect(leader).toEqual([...argv, ...HOST, ...LWS]);
    expect(worker).toEqual([...argv, ...LWS, '--headless']);
  });

  it('of each pool are its own, with the names that pods have', () => {
    const words = containerWords(file(pooled, 'kubernetes', 'kubernetes.yaml'), 'server');
    const named = (word: string): string =>
      word
        .replace(/\bprefill-(\d):/g, 'dep-prefill-$1.dep-prefill:')
        .replace(/(?<=[/,])decode:/g, 'dep-decode-0.dep-decode:');
    expect(words).toEqual(pooled.components.map(({ argv }) => [...argv.map(named), ...HOST]));
    expect(words[2]?.join(' ')).toContain('http://dep-prefill-1.dep-prefill:8000,http://dep-decode-0.dep-decode:8000');
  });

  it('of the pools go to the workers of Dynamo; its own frontend takes the place of the router', () => {
    const [prefill, decode] = pooled.components;
    const worker = (component: typeof prefill, role: string) => [
      ...['python3', '-m', 'dynamo.vllm', '--model'],
      ...(component?.argv.slice(2) ?? []),
      ...['--disaggregation-mode', role],
    ];
    const words = containerWords(file(pooled, 'dynamo', 'dynamo.yaml'), 'main');
    expect(words).toEqual([worker(prefill, 'prefill'), worker(decode, 'decode')]);
    expect(written(pooled, 'dynamo').findings.map(({ code }) => code)).toContain('router-replaced');
  });

  it('that a chart writes itself stand in its fields, the others in order', () => {
    const plan = scaled;
    const argv = plan.argv ?? [];
    const [model = '', , revision = '', ...rest] = argv.slice(2);
    const [values] = documentsOf(file(plan, 'vllm-production-stack', 'values.yaml')).flatMap(objectsIn);
    expect(values).toMatchObject({
      servingEngineSpec: { modelSpec: [{ modelURL: model, modelRevision: revision, vllmConfig: { extraArgs: rest } }] },
    });
    const [service] = documentsOf(file(plan, 'kserve-llm-inference-service', 'llm-inference-service.yaml'));
    expect(service).toMatchObject({
      spec: { model: { uri: `hf://${model}:${revision}` }, template: { containers: [{ args: rest }] } },
    });
    const [llmd] = documentsOf(file(plan, 'llm-d', 'values.yaml'));
    expect(llmd).toMatchObject({ decode: { containers: [{ args: ['--revision', revision, ...rest] }] } });
  });

  it('become keywords of the engine under Ray, numbers as numbers', () => {
    const [config] = documentsOf(file(scaled, 'ray-serve', 'serve.yaml'));
    expect(config).toMatchObject({
      applications: [
        { args: { llm_configs: [{ engine_kwargs: { kv_cache_dtype: 'fp8', max_model_len: 256, max_num_seqs: 64 } }] } },
      ],
    });
    const [, service] = documentsOf(file(scaled, 'ray-serve', 'ray-service.yaml'));
    const inner = (service as { spec: { serveConfigV2: string } }).spec.serveConfigV2;
    expect(documentsOf(inner)).toEqual([config]);
  });

  it('that look like a reference stay as they are', () => {
    const component = scaled.components[0];
    if (component === undefined) throw new Error('no component');
    const odd = { flag: '--served-model-name', value: '$(HOME)', setting: null, scope: 'target' as const, nodeId: 'x' };
    const args = [...component.args, { ...odd, isDefault: false, note: null }];
    const plan = { ...scaled, components: [{ ...component, args, argv: [...component.argv, odd.flag, odd.value] }] };
    expect(file(plan, 'kubernetes', 'kubernetes.yaml')).toContain('$$(HOME)');
  });
});

describe('secrets', () => {
  it.each(CASES)('%s of %s holds names only', (id, _name, plan) => {
    for (const { content } of written(plan, id).files) {
      expect(content).not.toMatch(/[^{(]\$INFERLOOM_SECRET_/);
      expect(content).not.toMatch(/hf_[A-Za-z0-9]{10}/);
    }
  });

  it('in an argument come through a variable', () => {
    const component = scaled.components[0];
    if (component === undefined) throw new Error('no component');
    const flag = {
      flag: '--api-key',
      value: '$INFERLOOM_SECRET_KEY',
      setting: 'apiKeySecret',
      scope: 'target' as const,
    };
    const args = [...component.args, { ...flag, nodeId: 'key', isDefault: false, note: null }];
    const content = file({ ...scaled, components: [{ ...component, args, env: {} }] }, 'kubernetes', 'kubernetes.yaml');
    expect(containerWords(content, 'server')[0]).toContain('$(INFERLOOM_SECRET_KEY)');
    const reference = { name: 'inferloom-secrets', key: 'INFERLOOM_SECRET_KEY' };
    expect(documentsOf(content).flatMap(objectsIn)).toContainEqual({
      name: 'INFERLOOM_SECRET_KEY',
      valueFrom: { secretKeyRef: reference },
    });
  });
});

describe('Compose', () => {
  const services = (plan: Plan) =>
    (
      documentsOf(file(plan, 'docker-compose', 'compose.yaml'))[0] as {
        services: Record<string, Record<string, unknown>>;
      }
    ).services;

  it('gives each engine of the pools devices of its own and publishes the router alone', () => {
    const made = services(pooled);
    expect(Object.keys(made)).toEqual(['prefill-0', 'prefill-1', 'decode', 'router']);
    const ids = objectsIn(made).flatMap(({ device_ids: taken }) => (Array.isArray(taken) ? [taken] : []));
    expect(ids).toEqual([['0'], ['1'], ['2', '3']]);
    expect(Object.entries(made).flatMap(([name, { ports }]) => (ports === undefined ? [] : [name]))).toEqual([
      'router',
    ]);
    expect(made['prefill-1']).toMatchObject({ environment: { VLLM_NIXL_SIDE_CHANNEL_HOST: 'prefill-1' } });
    expect(made.router).toMatchObject({ depends_on: { decode: { condition: 'service_healthy' } } });
  });

  it('starts each engine as the plan says', () => {
    for (const [name, plan] of Object.entries(PLANS)) {
      if (!form('docker-compose').supports(plan) || plan.components.length > 1) continue;
      const { argv = [] } = plan;
      const command = services(plan).llm?.command as string[];
      const isImages = /^(vllm|llama|tgi)/.test(name);
      const words = isImages ? argv.slice(name.startsWith('vllm') ? 2 : 1) : argv;
      const bare = command.map((word) => word.replace(/^\/models\//, ''));
      expect(bare.slice(0, words.length)).toEqual(words);
    }
  });

  it('mounts the configuration file where the argument looks for it', () => {
    const plan = PLANS['tensorrt-fp8-tp2'];
    if (plan === undefined) throw new Error('no plan');
    const [whole] = documentsOf(file(plan, 'docker-compose', 'compose.yaml'));
    expect(whole).toMatchObject({
      services: { llm: { configs: [{ source: 'llm-config-0', target: '/etc/inferloom/tensorrt-llm.yaml' }] } },
      configs: { 'llm-config-0': { content: plan.components[0]?.files[0]?.content } },
    });
  });
});

describe('evidence', () => {
  const evidence = (image: string | null): Evidence => ({
    stamp: 'MEASURED',
    planHash: scaled.planHash,
    startedAt: '2026-12-01T10:00:00.000Z',
    engine: 'vllm',
    runtime: null,
    engineVersion: scaled.components[0]?.engineVersion ?? '',
    image,
    device: 'H100-SXM × 2',
    checkpoints: checkpointsOf(scaled.checkpoints),
    headlines: [],
    klDivergence: null,
  });
  const head = (id: string, image: string | null): string =>
    exportPlan(scaled, form(id), ENGINES, evidence(image)).files[0]?.content.split('\n\n')[0] ?? '';
  const image = scaled.components[0]?.image ?? null;

  it('stands only in a file that runs what was measured, image included', () => {
    expect(head('kubernetes', image)).toContain('# Evidence: MEASURED 2026-12-01');
    expect(head('kubernetes', null)).toContain('does not count here: image');
    for (const id of ['ray-serve', 'dynamo']) expect(head(id, image)).toContain('does not count here: image');
  });
});
