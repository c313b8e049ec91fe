import type { Imported } from '@/server/core/importers/importer';
import type { Pipeline } from '@/server/core/pipeline/document';
import type { Fragment } from './clipboard';

const GAP_PX = 160;

/** Nodes to add for an import. Traffic that the pipeline has already is not added a second time. */
export function fragmentOfImport(pipeline: Pipeline, { pipeline: imported }: Imported): Fragment {
  const hasWorkload = pipeline.nodes.some((node) => node.type === 'workload');
  const nodes = imported.nodes.filter((node) => !(hasWorkload && node.type === 'workload'));
  return { nodes, edges: imported.edges };
}

/** Below everything that is there, so that nothing is covered. */
export function offsetOfImport(pipeline: Pipeline): { x: number; y: number } {
  const bottoms = pipeline.nodes.map((node) => node.position?.y ?? 0);
  return { x: 0, y: bottoms.length === 0 ? 0 : Math.max(...bottoms) + GAP_PX };
}

/** Letters of a value that a message shows; the engine node holds the rest. */
const SHOWN = 60;
const short = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);

const named = (flags: readonly { flag: string; value: string | null }[]): string =>
  flags.map(({ flag, value }) => (value === null ? flag : `${flag} ${short(value)}`)).join(', ');

/** Lines that a message holds at 390 px; the plan's findings say the rest. */
const MAX_LINES = 8;

/** What a person must know after an import, a line each: what is kept raw, what is not kept, what was assumed. */
export function importLines({ unmapped, findings }: Imported): string[] {
  const kept = unmapped.filter(({ node }) => node !== null);
  const lost = unmapped.filter(({ node }) => node === null);
  const lines = [
    ...(kept.length === 0 ? [] : [`Kept as arguments of the engine: ${named(kept)}`]),
    ...(lost.length === 0 ? [] : [`Not kept: ${named(lost)}`]),
    ...findings.filter((f) => f.severity !== 'info').map((f) => f.message),
  ];
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES - 1), `And ${lines.length - MAX_LINES + 1} more: inferloom import prints them all.`];
}
