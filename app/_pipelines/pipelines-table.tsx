'use client';

import Link from 'next/link';
import type { ApiOutputs } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Badge, type BadgeTone } from '@/app/_ui/badge';
import { ABSENT } from '@/app/_ui/format';
import { NumberTd, Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { PipelineRowMenu } from './pipeline-row-menu';

export type PipelineRow = ApiOutputs['pipelines']['list']['items'][number];

const STATE_TONES: Readonly<Record<string, BadgeTone>> = { failed: 'error', running: 'accent', queued: 'accent' };

export function PipelinesTable({ pipelines }: { pipelines: readonly PipelineRow[] }) {
  return (
    <Table label="Pipelines">
      <Thead>
        <Tr>
          <Th>Name</Th>
          <Th className="text-right">Nodes</Th>
          <Th>Last saved</Th>
          <Th>Last verdict</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {pipelines.map((pipeline) => (
          <Tr key={pipeline.id} className="hover:bg-grid">
            <Td className="min-w-40 font-medium">
              <Link href={`/pipelines/${pipeline.id}`} className="underline-offset-2 hover:underline">
                {pipeline.name}
              </Link>
            </Td>
            <NumberTd>{pipeline.nodeCount}</NumberTd>
            <Td className="whitespace-nowrap text-dim">
              <Ago at={pipeline.updatedAt} />
              {pipeline.updatedBy ? <> · {pipeline.updatedBy}</> : null}
            </Td>
            <Td className="w-1/2 min-w-64">
              <LastVerdict experiment={pipeline.lastExperiment} />
            </Td>
            <Td className="text-right">
              <PipelineRowMenu pipeline={pipeline} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function LastVerdict({ experiment }: { experiment: PipelineRow['lastExperiment'] }) {
  if (!experiment) return <span className="text-faint">{ABSENT} not run yet</span>;
  return (
    <Link href={`/experiments/${experiment.id}`} className="underline-offset-2 hover:underline">
      {experiment.sentence ?? <Badge tone={STATE_TONES[experiment.state] ?? 'neutral'}>{experiment.state}</Badge>}{' '}
      <span className="mono text-faint">#{experiment.number}</span>
    </Link>
  );
}
