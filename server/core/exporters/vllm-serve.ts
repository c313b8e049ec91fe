import type { Exporter } from './exporter';
import { refuseOtherEngines } from './exporter';
import { headLines } from './head';
import { launchAs } from './launch';
import { BARE_SERVER, policiesLeftOut } from './policies-left-out';
import { recipeNotes } from './serving/recipe-notes';
import { fixedArg, shellScript } from './shell-script';

const refusal: Exporter['refusal'] = (plan) => refuseOtherEngines(plan, ['vllm'], 'A vllm serve command line');

export const vllmServe: Exporter = {
  id: 'vllm-serve',
  group: 'command line',
  title: 'vllm serve command line',
  summary: 'a bash script that starts vLLM',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render({ plan, engine, evidence }) {
    const launch = launchAs(plan, engine, null);
    launch.findings.push(...policiesLeftOut(plan.policies, [], BARE_SERVER), ...recipeNotes(plan));
    const fixed = [
      fixedArg('--host', '127.0.0.1', 'this machine only; vLLM listens everywhere without it'),
      fixedArg('--port', String(engine.port), 'the usual port'),
    ];
    const head = headLines(plan, launch, null, evidence);
    const content = shellScript({ head, steps: [], launch, fixed });
    return { files: [{ path: 'vllm-serve.sh', content }], findings: launch.findings };
  },
};
