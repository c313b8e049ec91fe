import { quote } from 'shell-quote';
import type { Checkpoint } from '../plan/plan';

/** One-shot services that make the weights before the server starts. */
export interface PrepareService {
  name: string;
  image: string;
  /** One line for sh in the image's folder of tools. */
  command: string;
  comment: string;
}

/** Needs from outside that a container does not fetch by itself. */
export interface NeededFile {
  file: string;
  from: string;
}

/** Image with llama-quantize and the converter, same build as the server's. */
const toolsImage = (build: string): string => `ghcr.io/ggml-org/llama.cpp:full-${build}`;

const unquantizedName = (fileName: string, type: string): string =>
  fileName.toLowerCase().endsWith(`-${type.toLowerCase()}.gguf`)
    ? `${fileName.slice(0, -(type.length + 6))}-f16.gguf`
    : `${fileName}.f16`;

/** Files in the mounted folder, and the steps that make what is not there. Paths inside the container are /models/…. */
export function composeWeights(
  checkpoint: Checkpoint,
  build: string,
): { services: PrepareService[]; needed: NeededFile[] } {
  const { recipe, fileName, repo, scope } = checkpoint;
  const needed: NeededFile[] = [];
  if (recipe === null) {
    const from = repo.startsWith('bundled:') ? `workers/embedded/models/${fileName} of Inferloom` : repo;
    return { services: [], needed: [{ file: fileName, from }] };
  }
  const source = unquantizedName(fileName, recipe.toType);
  if (repo.startsWith('bundled:'))
    needed.push({ file: source, from: `workers/embedded/models/${source} of Inferloom` });
  else if (/\.gguf$/i.test(repo)) needed.push({ file: source, from: repo });
  else {
    const how = `${repo}, converted: convert_hf_to_gguf.py FOLDER --outfile ${source} --outtype f16`;
    needed.push({ file: recipe.tool === 'llama-quantize' ? source : fileName, from: how });
  }
  for (const { tool } of recipe.before ?? []) {
    needed.push({ file: source, from: `weights that ${tool} makes first: see the export "Quantization recipe"` });
  }
  if (recipe.tool !== 'llama-quantize') return { services: [], needed };
  const matrix = recipe.options?.imatrix === undefined ? null : String(recipe.options.imatrix);
  const matrixFile = matrix?.split('/').pop() ?? '';
  if (matrix !== null) needed.push({ file: matrixFile, from: `${matrix}, the importance matrix` });
  const options = matrix === null ? [] : ['--imatrix', `/models/${matrixFile}`];
  return {
    needed,
    services: [
      {
        name: `quantize-${scope}`,
        image: toolsImage(build),
        command: `[ -e ${quote([`/models/${fileName}`])} ] || exec ./llama-quantize ${quote([...options, `/models/${source}`, `/models/${fileName}`, recipe.toType])}`,
        comment: `${checkpoint.format}, asked for by node ${checkpoint.nodeId ?? '?'}`,
      },
    ],
  };
}
