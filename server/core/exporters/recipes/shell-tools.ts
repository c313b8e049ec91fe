import { oneLine } from '../comment';
import { word } from '../shell-script';
import { optionOf, type RecipeJob } from './recipe-job';

/** A tool that is a command: what must run to write `$PART` from the model. */
interface ShellBody {
  lines: readonly string[];
}

const words = (...list: (string | number)[]): string => list.map((entry) => word(String(entry))).join(' ');
const revisionWords = ({ revision }: RecipeJob): string =>
  revision === null ? '' : ` ${words('--revision', revision)}`;

const LMDEPLOY = ['uvx', '--from', 'lmdeploy==0.16.0', 'lmdeploy', 'lite'];

/** `lmdeploy lite` calibrates with wikitext2, of which it takes sequences by a seed of its own. */
export function lmdeployLite(job: RecipeJob): ShellBody | null {
  const calibration = ['--calib-dataset', 'wikitext2', '--calib-samples', optionOf(job, 'calibrationSamples', 128)];
  const four = ['--w-bits', 4, '--w-group-size', optionOf(job, 'groupSize', 128)];
  const verbs: Readonly<Record<string, (string | number)[]>> = {
    'awq-int4': ['auto_awq', job.from, ...four],
    'gptq-int4': ['auto_gptq', job.from, ...four],
    'int8-w8a8': ['smooth_quant', job.from, '--quant-dtype', 'int8'],
    fp8: ['smooth_quant', job.from, '--quant-dtype', 'fp8'],
  };
  const verb = verbs[job.toType ?? ''];
  if (verb === undefined) return null;
  return { lines: [`${words(...LMDEPLOY, ...verb, ...calibration)}${revisionWords(job)} --work-dir "$part"`] };
}

/** Olive 0.13: `olive quantize` takes no revision, so the folder is downloaded first where one is pinned. */
export function olive(job: RecipeJob): ShellBody | null {
  const algorithm = { 'awq-int4': 'awq', 'gptq-int4': 'gptq', w4a16: 'gptq' }[job.toType ?? ''];
  if (algorithm === undefined) return null;
  const implementation = algorithm === 'awq' ? 'awq' : 'olive';
  const packages = algorithm === 'awq' ? ['--with', 'autoawq==0.2.9'] : [];
  const download =
    job.revision === null
      ? [`model=${word(job.from)}`]
      : [
          `hf download ${words(job.from, '--revision', job.revision)} --local-dir "$part.source"`,
          'model="$part.source"',
        ];
  const quantize = words('uvx', ...packages, '--from', 'olive-ai==0.13.0', 'olive', 'quantize');
  const rest = words('--algorithm', algorithm, '--precision', 'int4', '--implementation', implementation);
  return { lines: [...download, `${quantize} --model_name_or_path "$model" ${rest} --output_path "$part"`] };
}

const isFile = (from: string): boolean => /\.gguf$/i.test(from);

/** llama.cpp's converter and llama-quantize, both of the pinned build and on the PATH. */
export function ggufTools(job: RecipeJob): ShellBody | null {
  if (job.from.startsWith('bundled:') || job.toType === null) return null;
  const isFolder = job.from.startsWith('weights/');
  const plain = isFile(job.from) ? word(job.from) : '"$part.f16.gguf"';
  const download =
    isFile(job.from) || isFolder
      ? []
      : [`hf download ${word(job.from)}${revisionWords(job)} --local-dir "$part.source"`];
  const folder = isFolder ? word(job.from) : '"$part.source"';
  const convert = isFile(job.from) ? [] : [`convert_hf_to_gguf.py ${folder} --outfile ${plain} --outtype f16`];
  if (job.tool !== 'llama-quantize') return { lines: [...download, ...convert, `mv -- ${plain} "$part"`] };
  const imatrix = job.options.imatrix === undefined ? '' : ` ${words('--imatrix', job.options.imatrix)}`;
  return { lines: [...download, ...convert, `llama-quantize${imatrix} ${plain} "$part" ${word(job.toType)}`] };
}

/** A bash script that writes the result under a name of its own and moves it in place when it is whole. */
export function shellJob(job: RecipeJob, head: readonly string[], { lines }: ShellBody): string {
  const script = [
    '#!/usr/bin/env bash',
    ...head.map((line) => `# ${oneLine(line)}`),
    'set -euo pipefail',
    `out=${word(job.out)}`,
    'part="$out.part"',
    'mkdir -p -- "$(dirname -- "$out")"',
    'if [ ! -e "$out" ]; then',
    '  rm -rf -- "$part"',
    ...lines.map((line) => `  ${line}`),
    '  mv -- "$part" "$out"',
    '  rm -rf -- "$part".*',
    'fi',
    ...(job.link === null
      ? []
      : [
          `link=${word(job.link)}`,
          'mkdir -p -- "$(dirname -- "$link")"',
          'if [ -L "$link" ] || [ ! -e "$link" ]; then ln -sfn -- "$(realpath -- "$out")" "$link"; fi',
        ]),
  ];
  return `${script.join('\n')}\n`;
}
