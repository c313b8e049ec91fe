import type { Llama } from 'node-llama-cpp';

/** A native sampler as node-llama-cpp's own JavaScript uses it; bound to one model's vocabulary. */
interface NativeSampler {
  applyConfig(config: { seed: number }): void;
  dispose(): void;
}

type SamplerClass = new (model: object) => NativeSampler;

/**
 * node-llama-cpp makes a native sampler for each evaluation, whether it samples or not. Its list of candidates, 12
 * bytes for each token of the vocabulary, is freed only when V8 collects the JavaScript object, and V8, which does
 * not see that memory, seldom has reason to: with 4,096 tokens the process grows by 50 kB an evaluation. Samplers
 * that go back to a pool instead of being disposed keep that at one list for each evaluation under way.
 */
export function poolSamplers(llama: Llama): void {
  const { _bindings: bindings } = llama as unknown as { _bindings?: { AddonSampler?: unknown } };
  if (!bindings || typeof bindings.AddonSampler !== 'function')
    throw new Error('this node-llama-cpp keeps its native samplers elsewhere: they cannot be pooled');
  bindings.AddonSampler = pooled(bindings.AddonSampler as SamplerClass);
}

/** The same class, but `new` takes a disposed instance of the same model where there is one. */
export function pooled<T extends SamplerClass>(sampler: T): T {
  const idle = new WeakMap<object, NativeSampler[]>();
  return new Proxy(sampler, {
    construct(target, [model]: [object]) {
      const waiting = idle.get(model) ?? [];
      idle.set(model, waiting);
      return waiting.pop() ?? withReturn(new target(model), waiting);
    },
  });
}

/** Native methods cannot be assigned to; a property of the instance's own goes before them. */
function withReturn(sampler: NativeSampler, idle: NativeSampler[]): NativeSampler {
  const dispose = (): void => {
    if (idle.includes(sampler)) return;
    reset(sampler);
    idle.push(sampler);
  };
  return Object.defineProperty(sampler, 'dispose', { value: dispose });
}

/**
 * Drops every setting. A sampler starts its random numbers afresh only when its seed changes, and one of these two
 * seeds is another than the last: what a seed draws next does not depend on what was drawn before.
 */
function reset(sampler: NativeSampler): void {
  sampler.applyConfig({ seed: 0 });
  sampler.applyConfig({ seed: 1 });
}
