import { compileFile, countFindings, formatFinding } from './pipeline-file';
import { printJson, type Verb } from './verb';

export const validate: Verb = {
  name: 'validate',
  summary: 'says what is wrong with a pipeline, node by node',
  describe(command) {
    command
      .argument('<file>', 'pipeline file, - for standard input')
      .option('--json', 'print one JSON document')
      .action((file: string, options: { json?: boolean }) => {
        const { findings } = compileFile(file);
        const counts = countFindings(findings);
        if (options.json) printJson({ findings, ...counts });
        else {
          const { errors, warnings, notChecked } = counts;
          const lines = findings.map(formatFinding);
          process.stdout.write(
            [...lines, `${errors} errors, ${warnings} warnings, ${notChecked} not checked`, ''].join('\n'),
          );
        }
        if (counts.errors > 0) process.exitCode = 1;
      });
  },
};
