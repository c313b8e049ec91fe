import type { Exporter } from './exporter';
import { refuseOtherEngines } from './exporter';
import { headLines } from './head';
import { launchAs } from './launch';
import { BARE_SERVER, policiesLeftOut } from './policies-left-out';
import { prepareSteps } from './prepare-weights';
import { prunesFirst, recipeNotes } from './serving/recipe-notes';
import { fixedArg, shellScript } from './shell-script';

const refusal: Exporter['refusal'] = (plan) => refuseOtherEngines(plan, ['llama.cpp'], 'A llama-server command line');

/** A plan of the embedded engine is lowered again for llama-server; its numbers are not. */
export const llamaServer: Exporter = {
  id: 'llama-server',
  group: 'command line',
  title: 'llama-server command line',
  summary: 'a bash script that makes the weights and starts llama-server',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render({ plan, engine, evidence }) {
    const launch = launchAs(plan, engine, 'llama-server');
    launch.findings.push(...policiesLeftOut(plan.policies, [], BARE_SERVER), ...recipeNotes(plan, prunesFirst));
    const fixed = [
      fixedArg('--host', '127.0.0.1', 'this machine only; 0.0.0.0 opens it to the network'),
      fixedArg('--port', String(engine.port), 'the usual port'),
      fixedArg('--metrics', null, 'counters at /metrics'),
    ];
    const content = shellScript({
      head: headLines(plan, launch, null, evidence),
      steps: plan.checkpoints.flatMap(prepareSteps),
      launch,
      fixed,
    });
    return { files: [{ path: 'llama-server.sh', content }], findings: launch.findings };
  },
};
