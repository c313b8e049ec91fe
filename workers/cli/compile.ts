import { quote } from 'shell-quote';
import type { Plan } from '@/server/core/plan/plan';
import { compileFile, countFindings, formatFinding } from './pipeline-file';
import { printJson, type Verb } from './verb';

function describePlan(plan: Plan): string {
  const components = plan.components.map((component) => {
    const version = `${component.engine}${component.runtime ? ` (${component.runtime})` : ''} ${component.engineVersion}`;
    const { id, count } = component.hardware;
    const command = component.endpoint ? component.endpoint.url : quote(component.argv);
    return `  ${component.name}: ${version} on ${count} × ${id}\n  ${command}`;
  });
  const files = plan.checkpoints.map((c) => `  ${c.scope} weights: ${c.format} from ${c.repo} (${c.source})`);
  const request = Object.keys(plan.request).length > 0 ? [`  request: ${JSON.stringify(plan.request)}`] : [];
  const title = `${plan.deployment}${plan.isBaseline ? ' (baseline)' : ''}: ${plan.label}  ${plan.planHash.slice(0, 12)}`;
  return [title, ...components, ...files, ...request].join('\n');
}

export const compile: Verb = {
  name: 'compile',
  summary: 'turns a pipeline into the frozen plans that a run would start',
  describe(command) {
    command
      .argument('<file>', 'pipeline file, - for standard input')
      .option('--json', 'print one JSON document')
      .action((file: string, options: { json?: boolean }) => {
        const compiled = compileFile(file);
        const { plans, baseline, findings, workloads, pipelineHash } = compiled;
        if (options.json) printJson({ plans, baseline, findings, workloads, pipelineHash });
        else process.stdout.write([...plans.map(describePlan), ...findings.map(formatFinding), ''].join('\n'));
        if (countFindings(findings).errors > 0) process.exitCode = 1;
      });
  },
};
