import { type Finding, finding } from '../plan/finding';
import type { Checkpoint, Plan } from '../plan/plan';
import { oneLine } from './comment';
import type { Exported, Exporter, ExportInput } from './exporter';
import { layerDropBody } from './recipes/layer-drop';
import { LLM_COMPRESSOR, llmCompressorBody } from './recipes/llm-compressor';
import { type PythonBody, pythonJob } from './recipes/python-job';
import { autoAwqBody, autoRoundBody, bitsandbytesBody, gptqModelBody, modeloptBody } from './recipes/python-tools';
import { type RecipeJob, recipeJobs, type WrittenJob } from './recipes/recipe-job';
import { ggufTools, lmdeployLite, olive, shellJob } from './recipes/shell-tools';
import { word } from './shell-script';

type Bodies = { python: (job: RecipeJob) => PythonBody | null } | { shell: typeof ggufTools };

/** How each tool of `catalog/recipe-tools` is run. */
const TOOLS: Readonly<Record<string, Bodies & { source: string }>> = {
  'llm-compressor': { python: llmCompressorBody, source: LLM_COMPRESSOR },
  sparsegpt: { python: llmCompressorBody, source: LLM_COMPRESSOR },
  modelopt: { python: modeloptBody, source: 'nvidia-modelopt 0.47.0' },
  gptqmodel: { python: gptqModelBody, source: 'ModelCloud/GPTQModel @f4c327a1 (7.3.4), README.md' },
  autoawq: { python: autoAwqBody, source: 'autoawq 0.2.9, README.md' },
  'auto-round': { python: autoRoundBody, source: 'auto-round 0.16.1' },
  bitsandbytes: { python: bitsandbytesBody, source: 'transformers 5.17.0, quantization/bitsandbytes' },
  'layer-drop': { python: layerDropBody, source: 'transformers 5.17.0; arXiv 2403.17887' },
  'lmdeploy-lite': { shell: lmdeployLite, source: 'lmdeploy 0.16.0, cli/lite.py' },
  olive: { shell: olive, source: 'olive-ai 0.13.0, cli/quantize.py' },
  'llama-quantize': { shell: ggufTools, source: 'llama.cpp b10573, tools/quantize' },
  'convert_hf_to_gguf.py': { shell: ggufTools, source: 'llama.cpp b10573, convert_hf_to_gguf.py' },
};

function writeJob(job: RecipeJob, name: string, head: readonly string[]): WrittenJob {
  const tool = TOOLS[job.tool];
  const what = job.toType ?? 'a pruned model';
  if (tool === undefined) {
    return { unsupported: `no job is known for ${job.tool}`, source: 'exporters/recipes' };
  }
  if ('python' in tool) {
    const body = tool.python(job);
    if (body !== null) return { file: `${name}.py`, content: pythonJob(job, head, body) };
  } else {
    const body = tool.shell(job);
    if (body !== null) return { file: `${name}.sh`, content: shellJob(job, head, body) };
  }
  if (job.from.startsWith('bundled:')) {
    return { unsupported: `${job.from} ships with Inferloom, which makes ${what} itself`, source: 'exporters/recipes' };
  }
  return { unsupported: `${job.tool} does not make ${what}`, source: tool.source };
}

const headOf = (plan: Plan, checkpoint: Checkpoint, job: RecipeJob): string[] => [
  `${checkpoint.format} of ${checkpoint.model} for ${plan.label} (${plan.deployment}), written by Inferloom from plan ${plan.planHash.slice(0, 12)}`,
  `${job.tool}${job.toType === null ? '' : ` to ${job.toType}`}, asked for by node ${checkpoint.nodeId ?? '?'}; ${TOOLS[job.tool]?.source ?? ''}`,
  'Evidence: what the weights lose is not measured by this job; compare both plans on a worker.',
];

/** Runs the jobs one after the other, in the folder where they lie. */
const runAll = (files: readonly string[], head: string): string =>
  [
    '#!/usr/bin/env bash',
    `# ${oneLine(head)}`,
    'set -euo pipefail',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
    'cd -- "$(dirname -- "${BASH_SOURCE[0]}")"',
    ...files.map((file) => (file.endsWith('.py') ? `uv run --script ${word(file)}` : `bash ${word(file)}`)),
    '',
  ].join('\n');

function render({ plan }: ExportInput): Exported {
  const findings: Finding[] = [];
  const files = plan.checkpoints.flatMap((checkpoint) =>
    recipeJobs(checkpoint).flatMap((job, i) => {
      const name = `${checkpoint.scope}-${i + 1}-${job.tool.replace(/[^a-z0-9-]/gi, '-')}`;
      const written = writeJob(job, name, headOf(plan, checkpoint, job));
      if ('content' in written) return [{ path: written.file, content: written.content }];
      const message = `${checkpoint.scope}: ${written.unsupported}.`;
      findings.push(
        finding('error', 'recipe-not-written', message, { nodeId: checkpoint.nodeId, source: written.source }),
      );
      return [];
    }),
  );
  if (files.length === 0) return { files, findings };
  const order = runAll(
    files.map(({ path }) => path),
    `Makes the weights of ${plan.label} (${plan.deployment}). Needs uv, and llama.cpp's tools for GGUF files.`,
  );
  return { files: [...files, { path: 'make-weights.sh', content: order }], findings };
}

const refusal: Exporter['refusal'] = (plan) =>
  plan.checkpoints.some(({ recipe }) => recipe !== null)
    ? null
    : `A recipe makes weights; ${plan.deployment} takes them as they are.`;

export const quantizationRecipe: Exporter = {
  id: 'quantization-recipe',
  group: 'weights',
  title: 'Quantization recipe',
  summary: 'jobs that make the weights, with pinned packages and a named calibration set',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render,
};
