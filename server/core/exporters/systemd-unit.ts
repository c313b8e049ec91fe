import { findHardware } from '../facts/hardware';
import type { Arg } from '../plan/plan';
import { originsOf, requestLines } from './comment';
import { type Exported, type Exporter, type ExportInput, launchedComponent } from './exporter';
import { headLines } from './head';
import { type Launch, launchAs } from './launch';
import { policiesLeftOut } from './policies-left-out';
import { prepareSteps } from './prepare-weights';
import { configFileText } from './serving/config-file';
import { prunesFirst, recipeNotes } from './serving/recipe-notes';
import { runtimeToLaunch } from './serving/runtime-to-launch';
import { localArgs, withConfigFile } from './serving/server-script';
import { stepsScript } from './shell-script';
import { environmentExample, secretVariables } from './systemd/environment-file';
import { environmentWord, execValue, execWord, lineText, unitComment } from './systemd/unit-word';

const ENVIRONMENT_FILE = '/etc/inferloom/llm.env';
const CONFIG_FOLDER = '/etc/inferloom';

/** Every argument on a line of its own; systemd skips the comments between continued lines. */
function execStart(launch: Launch, fixed: readonly Arg[]): string[] {
  const origins = [...originsOf(launch), ...fixed.map((arg) => arg.note ?? 'fixed')];
  const words = [...launch.args, ...fixed].map(({ flag, value }) =>
    value === null ? execWord(flag) : `${execWord(flag)} ${execValue(value)}`,
  );
  const lines = words.flatMap((text, i) => [`  ${unitComment(origins[i] ?? '')}`, `  ${text} \\`]);
  const last = lines.pop()?.replace(/ \\$/, '');
  const command = ['/usr/bin/env', ...launch.command].map(execWord).join(' ');
  return last === undefined ? [`ExecStart=${command}`] : [`ExecStart=${command} \\`, ...lines, last];
}

/** Rights that a server of models needs none of. Devices stay open: the GPU is one. */
const HARDENING = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectControlGroups=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
  'UMask=0077',
];

function serviceLines(launch: Launch, fixed: readonly Arg[], secrets: readonly string[], isAmd: boolean): string[] {
  const plain = launch.env.filter((entry) => !secrets.includes(entry.name));
  return [
    '[Service]',
    'Type=exec',
    'DynamicUser=yes',
    ...(isAmd ? ['SupplementaryGroups=video render'] : []),
    'StateDirectory=inferloom',
    'WorkingDirectory=%S/inferloom',
    unitComment('caches of weights and compiled kernels survive a restart there'),
    'Environment=HOME=%S/inferloom',
    'Environment=PATH=/opt/inferloom/bin:/usr/local/bin:/usr/bin:/bin',
    ...plain.flatMap(({ name, value, setting, nodeId }) => [
      unitComment(`${setting}, node ${nodeId ?? '?'}`),
      `Environment=${environmentWord(`${name}=${value}`)}`,
    ]),
    unitComment(
      secrets.length === 0 ? 'no secret is needed; the file may be missing' : `secrets: ${secrets.join(', ')}`,
    ),
    `EnvironmentFile=${secrets.length === 0 ? '-' : ''}${ENVIRONMENT_FILE}`,
    ...secrets.map((name) => `ExecStartPre=/bin/sh -c "test -n \\"$$${name}\\""`),
    ...execStart(launch, fixed),
    'Restart=on-failure',
    'RestartSec=10',
    unitComment('download, load and compilation count as starting'),
    'TimeoutStartSec=1800',
    'TimeoutStopSec=120',
    'KillSignal=SIGTERM',
    'LimitMEMLOCK=infinity',
    'LimitNOFILE=65535',
    ...HARDENING,
  ];
}

interface UnitParts {
  launch: Launch;
  fixed: readonly Arg[];
  /** Variables that the environment file must bring. */
  secrets: readonly string[];
  head: readonly string[];
}

function unitText({ plan, engine }: ExportInput, { launch, fixed, secrets, head }: UnitParts): string {
  const isAmd = findHardware(plan.components[0]?.hardware.id ?? '')?.vendor === 'amd';
  const lines = [
    ...head.map(unitComment),
    ...requestLines(launch).map(unitComment),
    '',
    '[Unit]',
    `Description=${lineText(`${plan.label} (${launch.runtime ?? engine.id} ${launch.version})`)}`,
    'Documentation=https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html',
    'Wants=network-online.target',
    'After=network-online.target nvidia-persistenced.service',
    'StartLimitIntervalSec=600',
    'StartLimitBurst=5',
    '',
    ...serviceLines(launch, fixed, secrets, isAmd),
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** A script for weights that the server does not download itself; null where it does. */
function weightsFile({ plan, engine }: ExportInput, head: readonly string[]): Exported['files'] {
  const steps = engine.id === 'llama.cpp' ? plan.checkpoints.flatMap(prepareSteps) : [];
  if (steps.length === 0) return [];
  const about = [
    ...head,
    'Run it in the folder that the unit works in, /var/lib/private/inferloom, before the first start.',
  ];
  return [{ path: 'prepare-weights.sh', content: stepsScript(about, steps) }];
}

function render(input: ExportInput): Exported {
  const { plan, engine, evidence } = input;
  const lowered = launchAs(plan, engine, runtimeToLaunch(plan, engine));
  lowered.findings.push(
    ...policiesLeftOut(plan.policies, [], 'a unit starts one server, and nothing stands before it'),
    ...recipeNotes(plan, engine.id === 'llama.cpp' ? prunesFirst : undefined),
  );
  const { name, args } = withConfigFile(input, lowered, CONFIG_FOLDER);
  const launch = { ...lowered, args };
  const fixed = localArgs(input, args);
  const values = [...args, ...fixed].map(({ value }) => value);
  const variables = secretVariables(launch.env, values);
  const head = headLines(plan, launch, null, evidence);
  const parts = { launch, fixed, secrets: variables.map(({ variable }) => variable), head };
  const hub = engine.weightFormats.includes('safetensors');
  const files = [
    { path: 'llm.service', content: unitText(input, parts) },
    { path: 'llm.env.example', content: environmentExample(ENVIRONMENT_FILE, variables, hub) },
    ...weightsFile(input, head),
  ];
  if (name === null || engine.configFile === undefined) return { files, findings: launch.findings };
  const { text, findings } = configFileText(launch, engine.configFile.format, head);
  return { files: [...files, { path: name, content: text }], findings: [...launch.findings, ...findings] };
}

const refusal: Exporter['refusal'] = (plan) => {
  const component = launchedComponent(plan);
  if (component !== null)
    return component.engine === 'onnxruntime-genai'
      ? 'ONNX Runtime GenAI is a library: there is no server to run.'
      : null;
  return plan.components.length > 1
    ? `A systemd unit holds one component; ${plan.deployment} has ${plan.components.length}.`
    : `${plan.deployment} uses a server that runs already: there is nothing to launch.`;
};

export const systemdUnit: Exporter = {
  id: 'systemd-unit',
  group: 'command line',
  title: 'systemd unit',
  summary: 'a hardened service with its restart policy, secrets from an environment file',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render,
};
