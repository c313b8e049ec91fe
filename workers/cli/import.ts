import { readFileSync } from 'node:fs';
import { importText } from '@/server/core/importers/import-text';
import { countFindings, formatFinding } from './pipeline-file';
import { ExitError, printJson, type Verb } from './verb';

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new ExitError(2, `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Without `--json` stdout is the pipeline alone, so that it can be piped into a file or another verb. */
export const importVerb: Verb = {
  name: 'import',
  summary: 'reads a command line, a script, a manifest or a Python call that starts an engine as a pipeline',
  describe(command) {
    command
      .argument('[file]', 'text to read, - for standard input', '-')
      .option('--json', 'print one JSON document')
      .action((file: string, options: { json?: boolean }) => {
        const { pipeline, recognized, findings, unmapped } = importText(readText(file));
        if (options.json) printJson({ pipeline, recognized, findings, unmapped });
        else {
          if (pipeline.nodes.length > 0) printJson(pipeline);
          const lines = unmapped.map(({ flag, value, node }) => {
            const kept = node === null ? 'not kept' : `kept on ${node}`;
            return `unmapped ${flag}${value === null ? '' : ` ${value}`} (${kept})`;
          });
          process.stderr.write([...lines, ...findings.map(formatFinding), ''].join('\n'));
        }
        if (countFindings(findings).errors > 0) process.exitCode = 1;
      });
  },
};
