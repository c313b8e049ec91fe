import Link from 'next/link';
import { Badge, type BadgeTone } from '@/app/_ui/badge';
import { ABSENT, formatSetting } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import type { EffectiveRow } from '@/server/core/run/trial';
import { nodeHref } from './cause-view';

const TONE: Record<EffectiveRow['state'], BadgeTone> = {
  applied: 'ok',
  changed: 'warn',
  ignored: 'warn',
  unverified: 'neutral',
};
const ORDER: readonly EffectiveRow['state'][] = ['ignored', 'changed', 'unverified', 'applied'];

/** What each node asked for, and what the engine really made of it. What needs attention stands first. */
export function EffectiveTable({ rows, pipelineId }: { rows: readonly EffectiveRow[]; pipelineId: string | null }) {
  if (rows.length === 0) return <p className="text-dim">The engine has not told its configuration yet.</p>;
  const sorted = [...rows].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  return (
    <Table label="Effective configuration">
      <Thead>
        <Tr>
          <Th>Setting</Th>
          <Th>Asked</Th>
          <Th>Got</Th>
          <Th>State</Th>
          <Th>Evidence</Th>
          <Th>Node</Th>
        </Tr>
      </Thead>
      <Tbody>
        {sorted.map((row) => (
          <Tr key={`${row.nodeId}/${row.setting}`}>
            <Td className="mono">{row.setting}</Td>
            <Td className="mono">{formatSetting(row.asked)}</Td>
            <Td className="mono">{formatSetting(row.got)}</Td>
            <Td>
              <Badge tone={TONE[row.state]}>{row.state}</Badge>
            </Td>
            <Td className="mono min-w-48 text-dim">{row.evidence ?? ABSENT}</Td>
            <Td className="whitespace-nowrap">
              {row.nodeId === null ? (
                <span className="text-faint">{ABSENT}</span>
              ) : pipelineId ? (
                <Link className="underline-offset-2 hover:underline" href={nodeHref(pipelineId, row.nodeId, null)}>
                  {row.nodeId}
                </Link>
              ) : (
                row.nodeId
              )}
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
