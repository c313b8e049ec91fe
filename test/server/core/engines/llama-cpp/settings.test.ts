import { describe, expect, it } from 'vitest';
import { llamaCpp } from '@/server/core/engines/llama-cpp';
import type { Scope, SettingName, SettingValues } from '@/server/core/plan/settings';
import { lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const server: Situation = {
  runtime: 'llama-server',
  version: 'b10573',
  hardware: { kind: 'gpu', id: 'RTX-4090', count: 2 },
};
const onCpu: Situation = { runtime: 'llama-server', version: 'b10573' };
const embedded: Situation = { runtime: 'embedded', version: 'v0.4.0' };
const withValues = (values: Partial<SettingValues>): Situation => ({ ...server, values });
const lower = (name: SettingName, value: unknown, situation: Situation = server, scope: Scope = 'target'): string =>
  lowerShort(llamaCpp, name, value as never, situation, scope);

describe('llama-server', () => {
  it.each<[SettingName, unknown, Situation, string]>([
    ['deviceLayers', 20, server, '--gpu-layers 20'],
    ['cpuExpertLayers', 12, server, '--n-cpu-moe 12'],
    ['pipelineParallel', 2, server, '--split-mode layer'],
    ['pipelineParallel', 1, server, '--split-mode none'],
    ['metricsEndpoint', 'on', server, '--metrics'],
    ['slidingWindow', 'off', server, '--swa-full'],
    ['kvTier', 'host-memory', server, '--cache-ram 8192'],
    ['kvTier', 'host-memory', withValues({ kvTierBytes: 2 ** 31 }), 'by kvTierBytes'],
    ['kvTierBytes', 2 ** 31, withValues({ kvTier: 'host-memory' }), '--cache-ram 2048'],
    ['cudaGraphs', 'off', server, 'GGML_CUDA_DISABLE_GRAPHS=1'],
    ['operatorFusion', 'off', server, 'GGML_CUDA_DISABLE_FUSION=1'],
    ['attentionBackend', 'eager', server, '--flash-attn off'],
    ['speculation', 'eagle3', server, '--spec-type draft-eagle3'],
    ['speculation', 'mtp', server, '--spec-type draft-mtp'],
    ['speculation', 'dflash', server, '--spec-type draft-dflash'],
    ['draftTokens', 5, withValues({ speculation: 'mtp' }), '--spec-draft-n-max 5'],
    ['draftTreeDepth', 5, withValues({ draftTokens: 5 }), 'by draftTokens'],
    ['weightsSparsity', 'structured', server, 'by weightsFormat'],
  ])('%s %s → %#', (name, value, situation, words) => {
    expect(lower(name, value, situation)).toBe(words);
  });

  it('places the layers of the draft apart', () => {
    expect(lower('deviceLayers', 0, server, 'draft')).toBe('--spec-draft-ngl 0');
  });

  it('loads adapters from GGUF files, unapplied, and says by which number a request names them', () => {
    const adapters = [
      { name: 'a', source: '/loras/a.gguf' },
      { name: 'b', source: '/loras/b.gguf' },
    ];
    expect(lower('loraAdapters', adapters)).toBe(
      '--lora /loras/a.gguf,/loras/b.gguf --lora-init-without-apply | but: requests name an adapter by its number (0 = a, 1 = b), in the field "lora"',
    );
    expect(lower('loraAdapters', [{ name: 'a', source: 'org/a' }])).toMatch(/^no: .*convert_lora_to_gguf/);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['speculation', 'suffix', server, /no suffix tree/],
    ['speculation', 'eagle', server, /EAGLE-3/],
    ['speculation', 'medusa', server, /no Medusa/],
    ['attentionBackend', 'flashinfer', server, /kernels of its own/],
    ['torchCompile', 'on', server, /C\+\+/],
    ['staticKvCache', 'off', server, /no pages/],
    ['kvBlockTokens', 16, server, /without pages/],
    ['kvTier', 'disk', server, /--slot-save-path/],
    ['kvTier', 'lmcache', server, /PyTorch engines/],
    ['kvEviction', 'rocket', server, /by age alone/],
    ['computeDtype', 'float16', server, /says how its tensors/],
    ['pipelineParallel', 4, server, /2 here, not 4/],
    ['dataParallel', 2, server, /one copy/],
    ['cpuOffloadBytes', 1024, server, /whole layers/],
    ['cpuExpertLayers', 4, onCpu, /on the CPU already/],
    ['deviceLayers', 10, onCpu, /no device but the CPU/],
    ['cudaGraphs', 'on', onCpu, /only the CUDA backend/],
    ['schedulingPolicy', 'priority', server, /order in which they came/],
    ['preemption', 'recompute', server, /nothing is preempted/],
    ['structuredOutputBackend', 'xgrammar', server, /GBNF/],
    ['streamIntervalTokens', 4, server, /every token/],
    ['torchProfilerFolder', '/t', server, /no PyTorch/],
    ['loraMaxRank', 8, server, /without adapters/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });
});

describe('the embedded engine', () => {
  it.each<[SettingName, unknown]>([
    ['loraAdapters', [{ name: 'a', source: 'a.gguf' }]],
    ['kvTier', 'host-memory'],
    ['slidingWindow', 'off'],
    ['speculation', 'eagle3'],
    ['speculation', 'mtp'],
    ['pipelineParallel', 2],
    ['cpuExpertLayers', 2],
    ['deviceLayers', 8],
    ['metricsEndpoint', 'off'],
  ])('refuses what it does not do: %s', (name, value) => {
    expect(lower(name, value, embedded)).toMatch(/^no: /);
  });
});
