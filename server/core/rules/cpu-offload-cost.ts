import { judged, placeOf } from './judge';
import { inGib } from './memory';
import type { Rule } from './rule';

/** One direction of PCIe x16, bytes per second (aiconfigurator systems/a100_pcie.yaml for Gen4). */
const PCIE_BYTES_PER_S: readonly (readonly [RegExp, number])[] = [
  [/PCIe 6/, 128e9],
  [/PCIe 5/, 64e9],
  [/PCIe 4/, 32e9],
  [/PCIe 3/, 16e9],
];

export const cpuOffloadCost: Rule = {
  id: 'cpu-offload-cost',
  summary: 'weights on the host cross the bus in every step',
  source: 'vLLM vllm/model_executor/offloader; bytes ÷ bandwidth of one direction of the bus',
  check(ctx) {
    const bytes = ctx.asked('cpuOffloadBytes')?.value ?? 0;
    if (bytes === 0 || ctx.hardware.kind !== 'gpu') return [];
    const place = placeOf(ctx, 'cpuOffloadBytes');
    const ranks = (ctx.value('tensorParallel') ?? 1) * (ctx.value('pipelineParallel') ?? 1);
    const pcie = ctx.hardware.facts?.pcie ?? '';
    const speed = PCIE_BYTES_PER_S.find(([pattern]) => pattern.test(pcie))?.[1] ?? null;
    const each =
      speed === null
        ? 'over the bus'
        : `over ${pcie} (${speed / 1e9} GB/s one way): at least ${Math.ceil((1000 * bytes) / speed)} ms a step`;
    const total =
      ranks > 1 ? ` ${ranks} ranks keep ${inGib(bytes * ranks)} of host memory and share its bandwidth.` : '';
    const message = `Every step copies ${inGib(bytes)} to each device ${each}.${total}`;
    return [judged(this, ranks > 1 ? 'warning' : 'info', message, place)];
  },
};
