import { quote } from 'shell-quote';
import type { Engine } from '../../engines/engine';
import type { Plan } from '../../plan/plan';
import { composeWeights } from '../compose-quantize';
import { storePath } from './container';

/** One container that puts a file into the volume of weights. */
export interface FetchStep {
  name: string;
  image: string;
  /** One line for sh. */
  command: string;
  comment: string;
  /** Does it send the Hub's token where there is one? */
  token: boolean;
}

/** What must be done by hand, since no container can fetch it. */
interface ByHand {
  file: string;
  from: string;
}

const HUB_REPO = /^[\w.-]+\/[\w.-]+$/;

/** Downloads one file of a repository; the server's image brings curl. */
function download(
  scope: string,
  repo: string,
  revision: string | null,
  file: string,
  image: string,
  to: string,
): FetchStep {
  const url = `https://huggingface.co/${repo}/resolve/${revision ?? 'main'}/${file}`;
  const target = `${to}/${file}`;
  const header = '$' + '{HF_TOKEN:+-H "Authorization: Bearer $HF_TOKEN"}';
  const get = `curl -fSL --retry 5 ${header} -o ${quote([`${target}.part`])} ${quote([url])} && mv ${quote([`${target}.part`, target])}`;
  const comment = `${repo}${revision === null ? '' : ` at ${revision}`}`;
  return {
    name: `download-${scope}`,
    image,
    command: `[ -e ${quote([target])} ] || { ${get}; }`,
    comment,
    token: true,
  };
}

/** Files that llama.cpp needs in the volume: downloaded, quantized there, or to be put there by hand. */
export function fetchWeights(
  plan: Plan,
  engine: Engine,
  version: string,
  image: string,
): { steps: FetchStep[]; byHand: ByHand[] } {
  if (engine.id !== 'llama.cpp') return { steps: [], byHand: [] };
  const to = storePath(engine);
  const steps: FetchStep[] = [];
  const byHand: ByHand[] = [];
  for (const checkpoint of plan.checkpoints) {
    const { repo, revision, fileName, scope, recipe } = checkpoint;
    if (recipe === null && HUB_REPO.test(repo) && !/\.gguf$/i.test(repo)) {
      steps.push(download(scope, repo, revision, fileName, image, to));
      continue;
    }
    const { services, needed } = composeWeights(checkpoint, version);
    byHand.push(...needed);
    steps.push(...services.map((service) => ({ ...service, token: false })));
  }
  return { steps, byHand };
}
