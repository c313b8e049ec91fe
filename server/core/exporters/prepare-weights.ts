import type { Checkpoint } from '../plan/plan';

/** One command that makes or fetches a file; skipped where `makes` is there already. */
export interface PrepareStep {
  comment: string;
  makes: string;
  words: string[];
}

/** Name of the unquantized file that a recipe starts from; a recipe with options has their hash in its own name. */
const unquantized = (checkpoint: Checkpoint): string =>
  checkpoint.fileName.replace(
    new RegExp(`(-${literalPattern(checkpoint.recipe?.toType ?? '')})?(-[0-9a-f]{8})?\\.gguf$`, 'i'),
    '-f16.gguf',
  );

const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const isPath = (checkpoint: Checkpoint): boolean =>
  /^(\/|\.\/|\.\.\/|~)/.test(checkpoint.repo) || /\.gguf$/i.test(checkpoint.repo);

const download = (checkpoint: Checkpoint, file: string | null, into: string): string[] => [
  'hf',
  'download',
  checkpoint.repo,
  ...(file === null ? [] : [file]),
  ...(checkpoint.revision === null ? [] : ['--revision', checkpoint.revision]),
  '--local-dir',
  into,
];

function bundledNote(checkpoint: Checkpoint, file: string): PrepareStep {
  const from = `workers/embedded/models/${file}`;
  return {
    comment: `${file} ships with Inferloom (${checkpoint.repo}): copy it from ${from} of the project, or set INFERLOOM_DIR`,
    makes: file,
    words: ['cp', `\${INFERLOOM_DIR}/${from}`, file],
  };
}

/** The unquantized GGUF file: shipped, given by path, or downloaded and converted. */
function unquantizedSteps(checkpoint: Checkpoint): { file: string; steps: PrepareStep[] } {
  const file = unquantized(checkpoint);
  if (checkpoint.repo.startsWith('bundled:')) return { file, steps: [bundledNote(checkpoint, file)] };
  if (isPath(checkpoint)) return { file: checkpoint.repo, steps: [] };
  const folder = checkpoint.repo.split('/').pop() ?? checkpoint.repo;
  return {
    file,
    steps: [
      {
        comment: `${checkpoint.model}: the unquantized checkpoint`,
        makes: folder,
        words: download(checkpoint, null, folder),
      },
      {
        comment: 'Hugging Face form to GGUF',
        makes: file,
        words: ['convert_hf_to_gguf.py', folder, '--outfile', file, '--outtype', 'f16'],
      },
    ],
  };
}

/** The importance matrix that a node named, a file on the machine that quantizes. */
const imatrixWords = ({ recipe }: Checkpoint): string[] => {
  const file = recipe?.options?.imatrix;
  return file === undefined ? [] : ['--imatrix', String(file)];
};

/** What must be done before llama-server can load a checkpoint, in order. */
export function prepareSteps(checkpoint: Checkpoint): PrepareStep[] {
  const { recipe, fileName } = checkpoint;
  if (recipe === null) {
    if (checkpoint.repo.startsWith('bundled:')) return [bundledNote(checkpoint, fileName)];
    if (isPath(checkpoint)) return [];
    return [
      {
        comment: `${checkpoint.model} as ${checkpoint.format}`,
        makes: fileName,
        words: download(checkpoint, fileName, '.'),
      },
    ];
  }
  // Pruned first: the export "Quantization recipe" has the jobs, and the notes of the form say so.
  if (recipe.before !== undefined && recipe.before.length > 0) return [];
  const { file, steps } = unquantizedSteps(checkpoint);
  if (recipe.tool !== 'llama-quantize') return steps;
  const quantize: PrepareStep = {
    comment: `${checkpoint.format}, asked for by node ${checkpoint.nodeId ?? '?'}`,
    makes: fileName,
    words: ['llama-quantize', ...imatrixWords(checkpoint), file, fileName, recipe.toType],
  };
  return [...steps, quantize];
}
