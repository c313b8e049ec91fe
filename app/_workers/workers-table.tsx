'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { formatBytes } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { RevokeDialog } from './revoke-dialog';

type Worker = ApiOutputs['workers']['list'][number];

export function WorkersTable({ workers, canRevoke }: { workers: readonly Worker[]; canRevoke: boolean }) {
  const trpc = useTRPC();
  const [revoking, setRevoking] = useState<Worker | null>(null);
  const close = () => setRevoking(null);
  const revoke = useMutation(
    trpc.workers.revoke.mutationOptions({
      onSuccess: close,
      onError: (error) => toast.error(`It was not revoked: ${error.message}`),
    }),
  );
  return (
    <>
      <Table label="Workers">
        <Thead>
          <Tr>
            <Th>Name</Th>
            <Th>State</Th>
            <Th>Host</Th>
            <Th>Engines</Th>
            <Th>Last seen</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {workers.map((worker) => (
            <Tr key={worker.id}>
              <Td className="font-medium">
                {worker.name} <span className="mono font-normal text-faint">v{worker.agentVersion}</span>
              </Td>
              <Td className="whitespace-nowrap">
                <WorkerState worker={worker} />
              </Td>
              <Td className="min-w-52">
                <HostText host={worker.host} />
              </Td>
              <Td className="mono min-w-40 text-dim">{enginesText(worker.host)}</Td>
              <Td className="whitespace-nowrap text-dim">
                <Ago at={worker.lastSeenAt} />
              </Td>
              <Td className="text-right">
                {canRevoke && !worker.token.revoked ? (
                  <Button size="sm" onClick={() => setRevoking(worker)}>
                    Revoke
                  </Button>
                ) : null}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      <RevokeDialog
        name={revoking?.name ?? null}
        pending={revoke.isPending}
        onClose={close}
        onRevoke={() => revoking && revoke.mutate({ id: revoking.id })}
      />
    </>
  );
}

function WorkerState({ worker }: { worker: Worker }) {
  if (worker.token.revoked) return <Badge tone="error">revoked</Badge>;
  if (!worker.online) return <Badge tone="warn">offline</Badge>;
  if (!worker.running && worker.host.pausedBecause) {
    return (
      <>
        <Badge tone="warn">paused</Badge>
        <span className="block max-w-64 pt-1 text-xs whitespace-normal text-dim">{worker.host.pausedBecause}</span>
      </>
    );
  }
  if (!worker.running) return <Badge tone="ok">idle</Badge>;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge tone="accent">running</Badge>
      <Link href={`/experiments/${worker.running.experimentId}`} className="underline-offset-2 hover:underline">
        #{worker.running.experimentNumber}, block {worker.running.block + 1}
      </Link>
    </span>
  );
}

function HostText({ host }: { host: Worker['host'] }) {
  return (
    <>
      {host.cpuModel}, {host.cores} cores, {formatBytes(host.memoryBytes)}
      {host.devices.map((device) => (
        <span key={device.id} className="block text-dim">
          {device.name}, {formatBytes(device.memoryBytes)}
        </span>
      ))}
      <span className="block text-xs text-faint">{host.os}</span>
    </>
  );
}

const enginesText = (host: Worker['host']): string =>
  Object.entries(host.engines)
    .flatMap(([engine, runtimes]) =>
      Object.entries(runtimes).map(([runtime, version]) => `${engine} ${version}${runtime ? ` (${runtime})` : ''}`),
    )
    .join(', ') || 'none found';
