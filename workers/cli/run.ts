import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { freezeExperiment } from '@/server/core/compile/freeze-experiment';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { Report } from '@/server/core/run/report';
import { readCountOption, readNumberOption } from './number-option';
import { compileFile, formatFinding, readPipelineFile } from './pipeline-file';
import { formatReport } from './report-table';
import { runLocally } from './run-local';
import { runOnServer } from './run-remote';
import { FAIL_ON, type FailOn, whyNo } from './run-verdict';
import { ExitError, printJson, type Verb } from './verb';

const MAX_SEED = 2 ** 31;

interface RunOptions {
  blocks?: number;
  seed?: number;
  deployment?: string[];
  workload?: string[];
  maxMinutes?: number;
  out?: string;
  server?: string;
  apiKey?: string;
  failOn?: FailOn[];
  json?: boolean;
}

/** Compiles and freezes; errors end the run with 1 and stand on stderr. */
function freeze(file: string, options: RunOptions, seed: number): ExperimentSpec {
  const compiled = compileFile(file);
  const { spec, findings } = freezeExperiment(compiled, {
    seed,
    blocks: options.blocks ?? null,
    deployments: options.deployment ?? null,
    workloads: options.workload ?? null,
  });
  const warnings = compiled.findings.filter((f) => f.severity === 'warning');
  for (const finding of [...warnings, ...findings]) process.stderr.write(`${formatFinding(finding)}\n`);
  if (spec === null) throw new ExitError(1, `${file} cannot be run: ${findings.length} errors`);
  return spec;
}

async function deliver(spec: ExperimentSpec, report: Report, options: RunOptions): Promise<void> {
  if (options.out !== undefined) await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`);
  if (options.json) printJson(report);
  else process.stdout.write(formatReport(spec, report));
  const no = whyNo(spec, report, options.failOn ?? []);
  if (no === null) return;
  process.stderr.write(`inferloom: ${no}\n`);
  process.exitCode = 1;
}

async function runPipeline(file: string, options: RunOptions): Promise<void> {
  const seed = options.seed ?? randomInt(1, MAX_SEED);
  const spec = freeze(file, options, seed);
  if (options.server === undefined) {
    const maxMs = options.maxMinutes === undefined ? null : options.maxMinutes * 60_000;
    return deliver(spec, await runLocally(spec, maxMs), options);
  }
  if (options.apiKey === undefined) throw new ExitError(2, '--server needs --api-key');
  if (options.workload !== undefined) throw new ExitError(2, '--workload works without --server only');
  const report = await runOnServer({
    serverUrl: options.server,
    apiKey: options.apiKey,
    name: file === '-' ? 'standard input' : path.parse(file).name,
    document: readPipelineFile(file).pipeline,
    blocks: options.blocks ?? null,
    seed,
    deployments: options.deployment ?? null,
    maxMs: options.maxMinutes === undefined ? null : options.maxMinutes * 60_000,
  });
  await deliver(spec, report, options);
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export const run: Verb = {
  name: 'run',
  summary: 'runs a pipeline against its baseline and reads the verdict',
  describe(command: Command) {
    command
      .argument('<file>', 'pipeline file, - for standard input')
      .option('--blocks <n>', 'passes over all deployments (default: what the baseline says)', (t) =>
        readCountOption(t, 1, 12),
      )
      .option('--seed <n>', 'of prompts, arrivals and order', (t) => readCountOption(t, 0, MAX_SEED))
      .option('--deployment <id>', 'run this one beside the baseline; may be repeated', collect)
      .option('--workload <id>', 'run this one only; may be repeated', collect)
      .option('--max-minutes <m>', 'end before a block that would not fit', (t) => readNumberOption(t, 0.1, 100_000))
      .option('--out <file>', 'write the report as JSON to a file too')
      .option('--server <url>', 'run it there instead of in this process, and follow')
      .option('--api-key <key>', 'of that server')
      .addOption(
        new Option('--fail-on <what>', 'exit 1 for these too; may be repeated')
          .choices(FAIL_ON)
          .argParser((value: string, before: FailOn[] | undefined) => {
            const known = FAIL_ON.find((f) => f === value);
            if (known === undefined) throw new ExitError(2, `--fail-on takes ${FAIL_ON.join(' or ')}`);
            return [...(before ?? []), known];
          }),
      )
      .option('--json', 'print the report as JSON')
      .action(runPipeline);
  },
};
