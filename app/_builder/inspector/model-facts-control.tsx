'use client';

import { type ChangeEvent, useId, useState } from 'react';
import { useTRPCClient } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Input } from '@/app/_ui/input';
import type { OwnModel } from '@/server/core/facts/own-model';
import type { ReadModel } from '@/server/core/facts/read-config-json';
import type { ParamControlProps } from './param-control';

/** A header holds the vocabulary, some megabytes; the weights behind it are not read. */
const HEADER_BYTES = 64 * 2 ** 20;

async function readText(text: string): Promise<ReadModel> {
  const { readConfigJson } = await import('@/server/core/facts/read-config-json');
  return readConfigJson(text);
}

async function readFile(file: File): Promise<ReadModel> {
  if (!file.name.toLowerCase().endsWith('.gguf')) return readText(await file.text());
  const { readGgufModel } = await import('@/server/core/facts/read-gguf-header');
  return readGgufModel(new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()));
}

const isOwn = (value: unknown): value is OwnModel => typeof value === 'object' && value !== null && 'layers' in value;

/** Facts that the node brings itself: where they come from, and the way to bring others. */
export function ModelFactsControl({ ids, value, onValue }: ParamControlProps) {
  const [open, setOpen] = useState(false);
  const own = isOwn(value) ? value : null;
  const use = (facts: OwnModel) => {
    onValue(facts);
    setOpen(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {own ? (
        <span className="text-dim">{`From ${own.source}: ${own.layers} layers of ${own.hidden}`}</span>
      ) : (
        <span className="text-dim">Those of the table</span>
      )}
      <Button {...ids} size="sm" onClick={() => setOpen(true)}>
        {own ? 'Describe it anew' : 'Describe a model of your own'}
      </Button>
      {own ? (
        <Button size="sm" tone="quiet" onClick={() => onValue(undefined)}>
          Use the table
        </Button>
      ) : null}
      {open ? <DescribeDialog own={own} onClose={() => setOpen(false)} onUse={use} /> : null}
    </div>
  );
}

interface DescribeDialogProps {
  own: OwnModel | null;
  onClose: () => void;
  onUse: (own: OwnModel) => void;
}

/** Facts from a file that the browser reads itself, a pasted config.json, or written by hand. */
function DescribeDialog({ own, onClose, onUse }: DescribeDialogProps) {
  const [text, setText] = useState(own === null ? '' : JSON.stringify(own, null, 2));
  const placeId = useId();
  const [place, setPlace] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const take = ({ own: read, findings }: ReadModel) => {
    if (read) onUse(read);
    else setProblem(findings.map(({ message }) => message).join(' '));
  };
  const client = useTRPCClient();
  const fromElsewhere = async () => {
    const source = /^https?:/.test(place) ? { url: place } : { repo: place };
    try {
      take(await client.models.describe.mutate(source));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const fromFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file) take(await readFile(file));
  };
  const fromText = async () => {
    const byHand = await readFacts(text);
    if (byHand) onUse(byHand);
    else take(await readText(text));
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Describe a model of your own"
      description="Open its config.json or GGUF file, or paste the config.json. The file stays in the browser; of a GGUF file only the header is read."
      actions={
        <Button tone="primary" disabled={text.trim() === ''} onClick={() => void fromText()}>
          Use these facts
        </Button>
      }
    >
      <div className="grid gap-3">
        <label className="grid gap-1">
          <span>File</span>
          <input type="file" accept=".json,.gguf" onChange={(event) => void fromFile(event)} />
        </label>
        <div className="grid gap-1">
          <label htmlFor={placeId}>Hugging Face repository (owner/name), or URL of a config.json or GGUF file</label>
          <div className="flex gap-2">
            <Input
              id={placeId}
              className="mono grow"
              value={place}
              onChange={({ target }) => setPlace(target.value.trim())}
            />
            <Button disabled={place === ''} onClick={() => void fromElsewhere()}>
              Look it up
            </Button>
          </div>
        </div>
        <label className="grid gap-1">
          <span>config.json, or facts by hand</span>
          <textarea
            className="mono min-h-40 rounded-md border border-line-strong bg-panel p-2 text-xs"
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setProblem(null);
            }}
          />
        </label>
        {problem ? (
          <p role="alert" className="text-error text-xs">
            {problem}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}

/** Text that is already in the form of our facts; null where it is another form. */
async function readFacts(text: string): Promise<OwnModel | null> {
  const { ownModelSchema } = await import('@/server/core/facts/own-model');
  try {
    const parsed = ownModelSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
