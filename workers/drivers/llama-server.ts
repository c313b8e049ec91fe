import type { Plan } from '@/server/core/plan/plan';
import type { EffectiveRow } from '@/server/core/run/trial';
import { formatOfFileType } from '../embedded/file-type';
import { type LogFacts, parseEngineLog } from '../embedded/parse-log';
import type { Driver } from './driver';
import { prepareGguf } from './embedded';
import type { DriverEnvironment } from './environment';
import { createProcessDriver } from './process';

/** What llama-server's own log says of a setting: its value and the line that says it. */
const READ_FROM_LOG: Readonly<Record<string, (facts: LogFacts) => { got: unknown; fact: string } | null>> = {
  weightsFormat: (f) => (f.fileType === null ? null : { got: formatOfFileType(f.fileType), fact: 'fileType' }),
  flashAttention: (f) => (f.flashAttention === null ? null : { got: f.flashAttention, fact: 'flashAttention' }),
  kvCacheKeyType: (f) => (f.cacheTypeK === null ? null : { got: f.cacheTypeK.toUpperCase(), fact: 'cacheTypeK' }),
  kvCacheValueType: (f) => (f.cacheTypeV === null ? null : { got: f.cacheTypeV.toUpperCase(), fact: 'cacheTypeV' }),
  contextTokensPerSequence: (f) =>
    f.contextTokensPerSequence === null ? null : { got: f.contextTokensPerSequence, fact: 'contextTokensPerSequence' },
  maxSequences: (f) => (f.sequences === null ? null : { got: f.sequences, fact: 'sequences' }),
};

const isSame = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase();

/**
 * Rows for what the plan asks, from llama.cpp's log lines of the target model. The log of a draft model follows in
 * the same stream; what the two can't be told apart in is unverified.
 */
export function llamaServerRows(plan: Plan, log: readonly string[]): EffectiveRow[] {
  const secondModel = log.findIndex(
    (line, i) => /llama_model_loader: loaded meta data/.test(line) && i > firstModel(log),
  );
  const facts = parseEngineLog(secondModel < 0 ? log : log.slice(0, secondModel));
  const rows: EffectiveRow[] = [];
  for (const [setting, { asked, origin }] of Object.entries(plan.settings)) {
    if (origin === 'default' || asked === null || asked === undefined) continue;
    const seen = READ_FROM_LOG[setting]?.(facts) ?? null;
    rows.push({
      nodeId: plan.nodeIds.includes(origin) ? origin : null,
      setting,
      asked,
      got: seen?.got ?? null,
      state: seen === null ? 'unverified' : isSame(seen.got, asked) ? 'applied' : 'changed',
      evidence: seen === null ? null : `log: ${facts.evidence[seen.fact] ?? ''}`,
    });
  }
  return rows;
}

const firstModel = (log: readonly string[]): number =>
  log.findIndex((line) => /llama_model_loader: loaded meta data/.test(line));

/** llama.cpp's own server, found on PATH. */
export function createLlamaServerDriver(environment: DriverEnvironment): Driver {
  return createProcessDriver(
    {
      id: 'llama-server',
      supports: (c) => c.engine === 'llama.cpp' && c.runtime === 'llama-server' && c.endpoint === null,
      program: 'llama-server',
      healthPath: '/health',
      ownFlags: ['--host', '--port'],
      listenArgs: (port) => ['--host', '127.0.0.1', '--port', String(port)],
      // Its parser goes over argv in order and `--version` ends it: an error in what stands before comes first.
      preflightArgs: (args) => [...args, '--version'],
      modelName: (plan, files) => modelAlias(plan) ?? files.target?.split('/').pop() ?? 'default',
      prepare: (plan, log, signal) => prepareGguf(plan, environment, log, signal),
      readEffective: async (plan, { log }) => llamaServerRows(plan, log),
      // Erasing a slot needs --slot-save-path: the engine is started afresh instead.
      resetCaches: async () => false,
    },
    environment,
  );
}

function modelAlias(plan: Plan): string | null {
  const argv = plan.components[0]?.argv ?? [];
  const at = argv.findIndex((word) => word === '--alias' || word === '-a');
  return at < 0 ? null : (argv[at + 1] ?? null);
}
