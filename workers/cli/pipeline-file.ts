import { readFileSync } from 'node:fs';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import type { Compiled } from '@/server/core/compile/compiled';
import { ENGINES } from '@/server/core/engines/index';
import { type Parsed, parsePipeline } from '@/server/core/pipeline/parse';
import type { Finding } from '@/server/core/plan/finding';
import { RULES } from '@/server/core/rules/index';
import { ExitError } from './verb';

/** Reads a pipeline file, `-` for standard input. Exits with 2 where it cannot be read or is not JSON. */
export function readPipelineFile(file: string): Parsed {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new ExitError(2, `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return parsePipeline(JSON.parse(text));
  } catch (error) {
    throw new ExitError(2, `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads and compiles a pipeline file; the findings of both come together. */
export function compileFile(file: string): Compiled {
  const { pipeline, findings } = readPipelineFile(file);
  const compiled = compilePipeline(pipeline, { engines: ENGINES, rules: RULES });
  return { ...compiled, findings: [...findings, ...compiled.findings] };
}

export interface FindingCounts {
  errors: number;
  warnings: number;
  /** Rules that could not be judged because a fact is missing. */
  notChecked: number;
}

export const countFindings = (findings: readonly Finding[]): FindingCounts => ({
  errors: findings.filter((f) => f.severity === 'error').length,
  warnings: findings.filter((f) => f.severity === 'warning').length,
  notChecked: findings.filter((f) => f.code === 'not-checked').length,
});

/** One line a finding: severity, code, place, message; the fix below. */
export function formatFinding(f: Finding): string {
  const place = f.nodeId === null ? '' : ` ${f.nodeId}${f.field === null ? '' : `.${f.field}`}:`;
  const fix = f.fix === null ? '' : `\n  fix: ${f.fix.label}`;
  return `${f.severity} [${f.code}]${place} ${f.message}${fix}`;
}
