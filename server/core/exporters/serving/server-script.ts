import { finding } from '../../plan/finding';
import type { Arg } from '../../plan/plan';
import { type Exported, type Exporter, type ExportInput, refuseOtherEngines } from '../exporter';
import { headLines } from '../head';
import { type Launch, launchAs } from '../launch';
import { listenArgs } from '../listen-args';
import { BARE_SERVER, policiesLeftOut } from '../policies-left-out';
import { fixedArg, shellScript } from '../shell-script';
import { configFileName, configFileText, entryOrigins } from './config-file';
import { recipeNotes } from './recipe-notes';
import { localPort, runtimeToLaunch } from './runtime-to-launch';

export interface ServerScriptForm {
  id: string;
  title: string;
  summary: string;
  engine: string;
  /** What a refusal calls it, e.g. "An SGLang command line". */
  form: string;
  path: string;
  /** What runs is a tool that ends, not a server: no address. */
  isTool?: boolean;
}

const HERE = 'this machine only; 0.0.0.0 opens it to the network';

/** Address arguments for a server that a shell starts: open to this machine only. */
export const localArgs = ({ engine }: ExportInput, given: readonly Arg[]): Arg[] =>
  listenArgs(engine, given, localPort(engine)).map((arg) => {
    if (arg.value === '0.0.0.0') return { ...arg, value: '127.0.0.1', note: HERE };
    return arg.value === String(localPort(engine)) ? { ...arg, note: 'the usual port' } : arg;
  });

/** Arguments that name the configuration file beside the script, or in `folder`. `name` null: there is none. */
export function withConfigFile(
  { engine }: ExportInput,
  launch: Launch,
  folder: string | null = null,
): { name: string | null; args: Arg[] } {
  const name = configFileName(engine);
  const flag = engine.configFile?.flag ?? null;
  if (flag === null) return { name: launch.config.length === 0 ? null : name, args: launch.args };
  if (name === null || launch.config.length === 0) {
    return { name: null, args: launch.args.filter((arg) => arg.flag !== flag) };
  }
  const note = `settings that ${engine.title} takes from a file`;
  const path = folder === null ? name : `${folder}/${name}`;
  const args = launch.args.map((arg) => (arg.flag === flag ? { ...arg, value: path, note } : arg));
  return { name, args: args.some((arg) => arg.flag === flag) ? args : [...args, fixedArg(flag, path, note)] };
}

function render(input: ExportInput, { path, isTool = false }: ServerScriptForm): Exported {
  const { plan, engine, evidence } = input;
  const lowered = launchAs(plan, engine, runtimeToLaunch(plan, engine));
  lowered.findings.push(...policiesLeftOut(plan.policies, [], BARE_SERVER), ...recipeNotes(plan));
  const { name, args } = withConfigFile(input, lowered);
  const launch = { ...lowered, args };
  const head = headLines(plan, launch, null, evidence);
  const notes =
    isTool && name !== null
      ? [`The options of ${name} are laid over the written file: og.Config(folder).overlay(text)`]
      : [];
  const origins = engine.configFile?.format === 'json' ? entryOrigins(launch) : [];
  const fixed = isTool ? [] : localArgs(input, args);
  const besideItself = !isTool && name !== null;
  const script = shellScript({ head: [...head, ...notes, ...origins], steps: [], launch, fixed, besideItself });
  const files = [{ path, content: script }];
  if (name === null || engine.configFile === undefined) return { files, findings: launch.findings };
  const { text, findings } = configFileText(launch, engine.configFile.format, head);
  return { files: [...files, { path: name, content: text }], findings: [...launch.findings, ...findings] };
}

/** A bash script for an engine with one runtime, and its configuration file where it has one. */
export function serverScript(form: ServerScriptForm): Exporter {
  const refusal: Exporter['refusal'] = (plan) => refuseOtherEngines(plan, [form.engine], form.form);
  return {
    id: form.id,
    group: 'command line',
    title: form.title,
    summary: form.summary,
    refusal,
    supports: (plan) => refusal(plan) === null,
    render: (input) =>
      input.engine.id === form.engine
        ? render(input, form)
        : { files: [], findings: [finding('error', 'export-refused', `${form.form} is for ${form.engine}.`)] },
  };
}
