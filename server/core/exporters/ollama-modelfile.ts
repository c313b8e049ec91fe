import type { Finding } from '../plan/finding';
import { finding } from '../plan/finding';
import type { Checkpoint, Plan } from '../plan/plan';
import type { SettingName } from '../plan/settings';
import { oneLine } from './comment';
import { type Exported, type Exporter, type ExportInput, refuseOtherEngines } from './exporter';
import { headLines } from './head';
import { type Launch, launchAs } from './launch';
import { policiesLeftOut } from './policies-left-out';
import { prepareSteps } from './prepare-weights';
import { prunesFirst, recipeNotes } from './serving/recipe-notes';
import { stepsScript } from './shell-script';

const MODELFILE = 'ollama/ollama docs/modelfile.mdx @071c82b1';

/** PARAMETER of the file for a setting. Requests that name the field themselves go before it. */
const PARAMETERS: Partial<Record<SettingName, string>> = {
  contextTokensPerSequence: 'num_ctx',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
};

/** Variable of `ollama serve` for a setting, and its value; null where Ollama has no such value. */
const VARIABLES: Partial<Record<SettingName, (value: unknown) => [name: string, value: string] | null>> = {
  flashAttention: (value) => ['OLLAMA_FLASH_ATTENTION', value === 'on' ? '1' : '0'],
  kvCacheKeyType: (value) => {
    const type = String(value).toLowerCase();
    return ['f16', 'q8_0', 'q4_0'].includes(type) ? ['OLLAMA_KV_CACHE_TYPE', type] : null;
  },
  maxSequences: (value) => ['OLLAMA_NUM_PARALLEL', String(value)],
  queueLimit: (value) => (Number(value) > 0 ? ['OLLAMA_MAX_QUEUE', String(value)] : null),
};

interface Asked {
  key: string;
  name: SettingName;
  isTarget: boolean;
  value: unknown;
  nodeId: string | null;
  field: string | null;
}

const askedOf = (plan: Plan): Asked[] =>
  Object.entries(plan.settings)
    .filter(([, { asked }]) => asked !== null && asked !== undefined)
    .map(([key, { asked, origin, field }]) => ({
      key,
      name: (key.split('.').pop() ?? key) as SettingName,
      isTarget: !key.includes('.'),
      value: asked,
      nodeId: plan.nodeIds.includes(origin) ? origin : null,
      field,
    }));

const comment = (text: string): string => `# ${oneLine(text)}`;
const originOf = ({ key, nodeId }: Asked): string =>
  `${key}, ${nodeId === null ? 'needed by the workload' : `node ${nodeId}`}`;

/** The weights: a file beside the Modelfile. Quotes keep spaces; a quote inside is one that Ollama cannot read. */
const fromLine = ({ fileName }: Checkpoint): string => {
  const path = fileName.startsWith('/') ? fileName : `./${fileName}`;
  return `FROM ${/[\s"#]/.test(path) ? `"${path.replaceAll('"', '')}"` : path}`;
};

interface Written {
  lines: string[];
  variables: string[];
  findings: Finding[];
}

function leftOut(asked: Asked, reason: string): Finding {
  const message = `${asked.key} ${JSON.stringify(asked.value)} is not in the file: ${reason}.`;
  return finding('warning', 'not-in-manifest', message, {
    nodeId: asked.nodeId,
    field: asked.field,
    source: MODELFILE,
  });
}

/** Value cache and key cache have one type in Ollama; the value's is written with the key's where they agree. */
function isPairedCache(asked: Asked, all: readonly Asked[]): boolean {
  const key = all.find(({ key: name }) => name === 'kvCacheKeyType');
  return asked.key === 'kvCacheValueType' && key !== undefined && key.value === asked.value;
}

function adapterLines(asked: Asked): Written | null {
  if (asked.key !== 'loraAdapters' || !Array.isArray(asked.value)) return null;
  const [first, ...others] = asked.value as { name: string; source: string }[];
  const lines = first === undefined ? [] : [comment(originOf(asked)), `ADAPTER ${oneLine(first.source)}`];
  const more = others.length === 0 ? [] : [leftOut({ ...asked, value: others }, 'a model of Ollama has one adapter')];
  return { lines, variables: [], findings: more };
}

function writeSetting(asked: Asked, all: readonly Asked[]): Written {
  const nothing: Written = { lines: [], variables: [], findings: [] };
  if (asked.name === 'weightsFormat' && asked.isTarget) return nothing;
  const parameter = asked.isTarget ? PARAMETERS[asked.name] : undefined;
  if (parameter !== undefined) {
    return { ...nothing, lines: [comment(originOf(asked)), `PARAMETER ${parameter} ${String(asked.value)}`] };
  }
  const adapter = adapterLines(asked);
  if (adapter !== null) return adapter;
  const variable = asked.isTarget ? VARIABLES[asked.name]?.(asked.value) : undefined;
  if (variable) return { ...nothing, variables: [comment(originOf(asked)), `${variable[0]}=${variable[1]}`] };
  if (isPairedCache(asked, all)) return { ...nothing, variables: [comment(`${originOf(asked)}: the same`)] };
  const reason =
    variable === null
      ? 'Ollama has not this value'
      : 'neither a Modelfile nor the environment of ollama serve holds it';
  return { ...nothing, findings: [leftOut(asked, reason)] };
}

function scriptFile(plan: Plan, head: readonly string[]): Exported['files'] {
  const steps = plan.checkpoints.filter(({ scope }) => scope === 'target').flatMap(prepareSteps);
  return steps.length === 0 ? [] : [{ path: 'prepare-weights.sh', content: stepsScript(head, steps) }];
}

function render({ plan, engine, evidence }: ExportInput): Exported {
  const asked = askedOf(plan);
  const written = asked.map((entry) => writeSetting(entry, asked));
  const raw = plan.components.flatMap(({ args }) =>
    args.filter(({ setting, nodeId }) => setting === null && nodeId !== null),
  );
  const findings = [
    ...written.flatMap((part) => part.findings),
    ...raw.map(({ flag, nodeId }) =>
      finding('warning', 'not-in-manifest', `${flag} was given for llama.cpp and is not in the file.`, { nodeId }),
    ),
    ...policiesLeftOut(plan.policies, [], 'Ollama has no gateway and starts no replicas'),
    ...recipeNotes(plan, prunesFirst),
  ];
  const target = plan.checkpoints.find(({ scope }) => scope === 'target');
  const launched = launchAs(plan, engine, 'llama-server');
  const launch: Launch = {
    ...launched,
    runtime: 'ollama',
    version: '0.12 and later',
    implicit: [],
    told: {},
    findings,
  };
  const head = headLines(plan, launch, null, evidence);
  const variables = written.flatMap((part) => part.variables);
  const lines = [
    ...head.map(comment),
    comment('ollama create NAME --file Modelfile; then ask for NAME'),
    ...(variables.length === 0 ? [] : [comment('ollama serve needs the variables of ollama.env')]),
    ...(target === undefined
      ? []
      : [comment(`weightsFormat, node ${target.nodeId ?? '?'}: ${target.format}`), fromLine(target)]),
    ...written.flatMap((part) => part.lines),
  ];
  const files = [{ path: 'Modelfile', content: `${lines.join('\n')}\n` }, ...scriptFile(plan, head)];
  if (variables.length === 0) return { files, findings };
  return { files: [...files, { path: 'ollama.env', content: `${variables.join('\n')}\n` }], findings };
}

const refusal: Exporter['refusal'] = (plan) => refuseOtherEngines(plan, ['llama.cpp'], 'A Modelfile');

/** Ollama runs GGUF files with an engine of its own: a plan's numbers are not Ollama's. */
export const ollamaModelfile: Exporter = {
  id: 'ollama-modelfile',
  group: 'command line',
  title: 'Ollama Modelfile',
  summary: 'a Modelfile and the environment of its server; what Ollama cannot hold is said',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render,
};
