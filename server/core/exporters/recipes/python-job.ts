import { oneLine } from '../comment';
import type { RecipeJob } from './recipe-job';

/** A string literal: what JSON writes, Python reads as the same text. */
export const pyString = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => (c === '\u2028' ? '\\u2028' : '\\u2029'));

export interface PythonBody {
  /** Pinned, as pip names them. */
  packages: readonly string[];
  imports: readonly string[];
  /** Calibration set; null where the tool needs none. */
  calibration: { set: string; split: string; samples: number; maxTokens: number } | null;
  /** Lines that read MODEL, REVISION, PROMPTS and write the folder PART. */
  lines: readonly string[];
}

const CALIBRATION = [
  '',
  'def prompts():',
  '    """Calibration texts: the first of the set, in its own order, so that a second run sees the same."""',
  '    rows = load_dataset(CALIBRATION_SET, split=f"{CALIBRATION_SPLIT}[:{CALIBRATION_SAMPLES}]")',
  '    return [row["text"] if "text" in row else "\\n".join(m["content"] for m in row["messages"]) for row in rows]',
  '',
];

/** A script with its packages in its head (PEP 723): `uv run FILE` makes the environment and runs it. */
export function pythonJob(job: RecipeJob, head: readonly string[], body: PythonBody): string {
  const { calibration } = body;
  const lines = [
    '# /// script',
    '# requires-python = ">=3.10,<3.13"',
    '# dependencies = [',
    ...body.packages.map((name) => `#   ${JSON.stringify(name)},`),
    '# ]',
    '# ///',
    ...head.map((line) => `# ${oneLine(line)}`),
    'import os',
    'import pathlib',
    'import shutil',
    '',
    ...(calibration === null ? [] : ['from datasets import load_dataset']),
    ...body.imports,
    '',
    `MODEL = ${pyString(job.from)}`,
    `REVISION = ${job.revision === null ? 'None' : pyString(job.revision)}`,
    `OUT = pathlib.Path(${pyString(job.out)})`,
    ...(job.link === null ? [] : [`LINK = pathlib.Path(${pyString(job.link)})`]),
    ...(calibration === null
      ? []
      : [
          `CALIBRATION_SET = ${pyString(calibration.set)}`,
          `CALIBRATION_SPLIT = ${pyString(calibration.split)}`,
          `CALIBRATION_SAMPLES = ${calibration.samples}`,
          `MAX_TOKENS = ${calibration.maxTokens}`,
        ]),
    'PART = OUT.with_name(OUT.name + ".part")',
    ...(calibration === null ? [] : CALIBRATION),
    '',
    'def make():',
    ...body.lines.map((line) => (line === '' ? '' : `    ${line}`)),
    '',
    '',
    'if not OUT.exists():',
    '    shutil.rmtree(PART, ignore_errors=True)',
    '    PART.mkdir(parents=True)',
    '    make()',
    '    os.replace(PART, OUT)',
    ...(job.link === null
      ? []
      : [
          'LINK.parent.mkdir(parents=True, exist_ok=True)',
          'if LINK.is_symlink():',
          '    LINK.unlink()',
          'LINK.symlink_to(OUT.resolve(), target_is_directory=True)',
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Texts that the tools' own examples calibrate with, named so that a reader can tell which. */
export const ultrachat = (samples: number, maxTokens: number): NonNullable<PythonBody['calibration']> => ({
  set: 'HuggingFaceH4/ultrachat_200k',
  split: 'train_sft',
  samples,
  maxTokens,
});
