import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Compiled } from '@/server/core/compile/compiled';
import { ENGINES } from '@/server/core/engines/index';
import { exportPlans } from '@/server/core/exporters/export-plans';
import type { Exported, Exporter } from '@/server/core/exporters/exporter';
import { EXPORTERS } from '@/server/core/exporters/index';
import { trialOfReport } from '@/server/core/exporters/report-trial-evidence';
import { evidenceOfTrial } from '@/server/core/exporters/trial-evidence';
import type { Finding } from '@/server/core/plan/finding';
import type { Plan } from '@/server/core/plan/plan';
import { type Report, reportSchema } from '@/server/core/run/report';
import { compileFile, countFindings, formatFinding } from './pipeline-file';
import { ExitError, printJson, type Verb } from './verb';

interface Options {
  format?: string;
  deployment?: string;
  out?: string;
  report?: string;
  list?: boolean;
  json?: boolean;
}

function listFormats(json: boolean | undefined): void {
  const formats = EXPORTERS.map(({ id, group, title, summary }) => ({ id, group, title, summary }));
  const width = Math.max(...formats.map(({ id }) => id.length));
  if (json) printJson(formats);
  else process.stdout.write(formats.map(({ id, summary }) => `${id.padEnd(width)}  ${summary}\n`).join(''));
}

function exporterOf(format: string | undefined): Exporter {
  const known = EXPORTERS.map(({ id }) => id).join(', ');
  if (format === undefined) throw new ExitError(2, `--format is missing; known are ${known}`);
  const exporter = EXPORTERS.find(({ id }) => id === format);
  if (exporter === undefined) throw new ExitError(2, `"${format}" is no format; known are ${known}`);
  return exporter;
}

/** The plans meant by `--deployment`: an arm, all arms of a deployment, or whatever the file draws. */
function choosePlans({ plans }: Compiled, deployment: string | undefined): Plan[] {
  const drawn = plans.filter((plan) => plan.deploymentNodeId !== null);
  if (deployment === undefined) return drawn.length > 0 ? drawn : plans;
  const exact = plans.filter((plan) => plan.deployment === deployment);
  return exact.length > 0 ? exact : plans.filter((plan) => plan.deploymentNodeId === deployment);
}

/** Errors of the chosen plans; a fault in another arm is none of theirs. */
function errorsOf({ findings }: Compiled, plans: readonly Plan[]): Finding[] {
  const nodes = new Set(plans.flatMap((plan) => plan.nodeIds));
  const concerns = ({ nodeId }: Finding): boolean => plans.length === 0 || nodeId === null || nodes.has(nodeId);
  return findings.filter((f) => f.severity === 'error' && concerns(f));
}

function writeFiles(folder: string, { files }: Exported): void {
  for (const { path, content } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    if (target.endsWith('.sh')) chmodSync(target, 0o755);
    process.stderr.write(`Wrote ${target}\n`);
  }
}

function printFiles({ files }: Exported): void {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) process.stdout.write(only.content);
  else for (const { path, content } of files) process.stdout.write(`### ${path}\n${content}\n`);
}

/** Reads what a run wrote. Exits with 2 where it is no report. */
function readReport(file: string): Report {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ExitError(2, `${file} is no report of a run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function runExport(file: string | undefined, options: Options): void {
  if (file === undefined) throw new ExitError(2, 'name a pipeline file, or use --list');
  const exporter = exporterOf(options.format);
  const compiled = compileFile(file);
  const plans = choosePlans(compiled, options.deployment);
  const errors = errorsOf(compiled, plans);
  if (plans.length === 0 && errors.length === 0) {
    const known = compiled.plans.map((plan) => plan.deployment).join(', ');
    throw new ExitError(2, `"${options.deployment ?? file}" has no plan; known are ${known}`);
  }
  const report = options.report === undefined ? null : readReport(options.report);
  const trialOf = (plan: Plan) => (report === null ? null : trialOfReport(report, plan));
  const evidenceOf = (plan: Plan) => {
    const trial = trialOf(plan);
    return trial === null ? null : evidenceOfTrial(trial);
  };
  const contextOf = (plan: Plan) => ({ workloads: compiled.workloads, trial: trialOf(plan) });
  const exported = exportPlans(plans, exporter, ENGINES, evidenceOf, contextOf);
  const findings = [...errors, ...exported.findings];
  if (options.out !== undefined) writeFiles(options.out, exported);
  if (options.json) printJson({ files: exported.files, findings });
  else {
    if (options.out === undefined) printFiles(exported);
    for (const found of findings) process.stderr.write(`${formatFinding(found)}\n`);
  }
  if (countFindings(findings).errors > 0) process.exitCode = 1;
}

export const exportVerb: Verb = {
  name: 'export',
  summary: 'writes a plan as a command line or a manifest',
  describe(command) {
    command
      .argument('[file]', 'pipeline file, - for standard input')
      .option('--format <id>', 'form of the file, see --list')
      .option('--deployment <id>', 'arm or deployment; without it every one that is drawn')
      .option('--report <file>', 'report of `inferloom run --out`, for what was measured of these plans')
      .option('--out <folder>', 'writes the files there')
      .option('--list', 'lists the forms')
      .option('--json', 'print one JSON document')
      .action((file: string | undefined, options: Options) => {
        if (options.list) listFormats(options.json);
        else runExport(file, options);
      });
  },
};
