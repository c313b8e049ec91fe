'use client';

import { FileUp, LayoutTemplate, Plus } from 'lucide-react';
import Link from 'next/link';
import { type ChangeEvent, useRef } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/app/_ui/menu';
import { PIPELINE_VERSION } from '@/server/core/pipeline/document';
import { parsePipelineText } from '@/server/core/pipeline/parse';
import { useCreatePipeline } from './use-create-pipeline';

const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Faults of a file that are said at once. */
const MAX_FAULTS = 3;

/** New pipelines: empty, from a file, or from a template. */
export function NewPipelineMenu() {
  const fileInput = useRef<HTMLInputElement>(null);
  const create = useCreatePipeline();
  const readFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) {
      toast.error('A pipeline file holds at most 5 MB.');
      return;
    }
    // A file with faults is opened as far as it can be read; the builder shows the rest on the nodes.
    const { pipeline, findings } = parsePipelineText(await file.text());
    const faults = findings.filter((finding) => finding.severity === 'error');
    if (pipeline.nodes.length === 0 && faults[0]) {
      toast.error(`${file.name}: ${faults[0].message}`);
      return;
    }
    for (const fault of faults.slice(0, MAX_FAULTS)) toast.warning(fault.message);
    create.mutate({ name: file.name.replace(/\.json$/i, ''), document: pipeline });
  };
  return (
    <>
      <input
        ref={fileInput}
        type="file"
        accept=".json,application/json"
        aria-label="Pipeline file"
        hidden
        onChange={readFile}
      />
      <Menu
        trigger={
          <Button tone="primary" disabled={create.isPending}>
            <Plus aria-hidden /> New pipeline
          </Button>
        }
      >
        <MenuItem
          onSelect={() =>
            create.mutate({ name: 'Untitled', document: { version: PIPELINE_VERSION, nodes: [], edges: [] } })
          }
        >
          <Plus aria-hidden /> Empty
        </MenuItem>
        <MenuItem onSelect={() => fileInput.current?.click()}>
          <FileUp aria-hidden /> From a file…
        </MenuItem>
        <MenuSeparator />
        <MenuItem asChild>
          <Link href="/pipelines/new">
            <LayoutTemplate aria-hidden /> From a template…
          </Link>
        </MenuItem>
      </Menu>
    </>
  );
}
