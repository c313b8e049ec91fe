'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Ellipsis, PencilLine, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/app/_ui/menu';
import type { PipelineRow } from './pipelines-table';
import { RenameDialog } from './rename-dialog';

export function PipelineRowMenu({ pipeline }: { pipeline: PipelineRow }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() });
  const duplicate = useMutation(
    trpc.pipelines.duplicate.mutationOptions({
      onSuccess: (made) => router.push(`/pipelines/${made.id}`),
      onError: (error) => toast.error(`Not duplicated: ${error.message}`),
    }),
  );
  const remove = useMutation(
    trpc.pipelines.remove.mutationOptions({
      onSuccess: () => {
        setOpen(null);
        toast(`“${pipeline.name}” was deleted.`);
        void refresh();
      },
      onError: (error) => toast.error(`Not deleted: ${error.message}`),
    }),
  );
  return (
    <>
      <Menu
        trigger={
          <Button tone="quiet" size="icon" aria-label={`Actions for ${pipeline.name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen('rename')}>
          <PencilLine aria-hidden /> Rename…
        </MenuItem>
        <MenuItem onSelect={() => duplicate.mutate({ id: pipeline.id })}>
          <Copy aria-hidden /> Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setOpen('remove')}>
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </Menu>
      {open === 'rename' ? (
        <RenameDialog pipeline={pipeline} onClose={() => setOpen(null)} onRenamed={refresh} />
      ) : null}
      <Dialog
        open={open === 'remove'}
        onOpenChange={() => setOpen(null)}
        title={`Delete “${pipeline.name}”?`}
        description="Its experiments stay, with the plans that they froze."
        actions={
          <>
            <Button onClick={() => setOpen(null)}>Keep it</Button>
            <Button tone="danger" disabled={remove.isPending} onClick={() => remove.mutate({ id: pipeline.id })}>
              Delete
            </Button>
          </>
        }
      />
    </>
  );
}
