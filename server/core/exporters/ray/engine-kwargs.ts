import type { Engine } from '../../engines/engine';
import { findFlag } from '../../engines/flag';
import { type Finding, finding } from '../../plan/finding';
import type { Arg } from '../../plan/plan';
import { originOf } from '../comment';
import type { Launch } from '../launch';
import { noted, text, type Yaml, type YamlMap, yamlNode } from '../yaml-nodes';

/** Flags of vLLM's HTTP server; Ray answers the requests itself. Source: vLLM 0.28, vllm/entrypoints/openai/cli_args.py. */
const SERVER_FLAGS = new Set([
  '--host',
  '--port',
  '--uds',
  '--api-key',
  '--ssl-keyfile',
  '--ssl-certfile',
  '--ssl-ca-certs',
  '--allowed-origins',
  '--root-path',
  '--middleware',
  '--enable-request-id-headers',
  '--disable-uvicorn-access-log',
  '--enable-log-outputs',
  '--enable-server-load-tracking',
  '--shutdown-timeout',
  '--enable-prompt-tokens-details',
  '--chat-template',
  '--enable-auto-tool-choice',
  '--tool-call-parser',
  '--tool-parser-plugin',
  '--lora-modules',
]);

/** Integers that the command line takes in human form too (`32k`), so that the table calls them text. */
const HUMAN_INTEGERS = new Set(['--max-model-len', '--max-num-batched-tokens', '--kv-cache-memory-bytes']);

const keyOf = (flag: string): string => flag.replace(/^--(no-)?/, '').replaceAll('-', '_');

/** Plain data of a JSON argument as nodes, every string guarded. */
function jsonNode(value: string, origin: string): Yaml {
  const node = yamlNode(JSON.parse(value) as Yaml);
  node.commentBefore = ` ${origin}`;
  return node;
}

function typedValue(arg: Arg, type: string, origin: string): Yaml {
  if (arg.value === null) return noted(!arg.flag.startsWith('--no-'), origin);
  if (type === 'json' || /^[{[]/.test(arg.value)) return jsonNode(arg.value, origin);
  const isHuman = HUMAN_INTEGERS.has(arg.flag) && /^\d+$/.test(arg.value);
  if (type === 'integer' || type === 'number' || isHuman) return noted(Number(arg.value), origin);
  return text(arg.value, origin);
}

/** Arguments as keywords of vLLM's engine; those of its HTTP server have no place there and are named. */
export function engineKwargs(
  engine: Engine,
  launch: Launch,
  args: readonly Arg[],
): { kwargs: YamlMap; findings: Finding[] } {
  const findings: Finding[] = [];
  const kwargs: YamlMap = {};
  for (const arg of args) {
    const fact = engine.flags === null ? null : findFlag(engine.flags, arg.flag);
    if (SERVER_FLAGS.has(fact?.name ?? arg.flag)) {
      const shown = arg.value === null ? arg.flag : `${arg.flag} ${arg.value}`;
      const message = `${arg.setting ?? shown} (${shown}) is not in the file: it belongs to the HTTP server of vLLM, and Ray Serve answers requests itself.`;
      findings.push(finding('warning', 'not-in-manifest', message, { nodeId: arg.nodeId }));
      continue;
    }
    kwargs[keyOf(fact?.name ?? arg.flag)] = typedValue(arg, fact?.type ?? 'string', originOf(arg, launch));
  }
  return { kwargs, findings };
}
