'use client';

import { type FormEvent, useId, useState } from 'react';
import { useTRPCClient } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { TabList, TabPanel, Tabs } from '@/app/_ui/tabs';
import type { OwnModel } from '@/server/core/facts/own-model';
import { DescribeByHand } from './describe-by-hand';
import { DescribeByFile, DescribeByPlace } from './describe-sources';
import { type HandErrors, type HandForm, handForm, readHandForm } from './hand-facts';
import { type Described, describedFrom, describeFile, describeText, sourceOfPlace } from './read-model-source';

const WAYS = [
  { value: 'file', label: 'File or text' },
  { value: 'place', label: 'Hugging Face' },
  { value: 'hand', label: 'By hand' },
] as const;
type Way = (typeof WAYS)[number]['value'];

/** What was typed so far, in every way. */
export interface DescribeDraft {
  way: Way;
  text: string;
  place: string;
  hand: HandForm;
}

export const draftOf = (own: OwnModel | null): DescribeDraft => ({
  way: own === null ? 'file' : 'hand',
  text: '',
  place: '',
  hand: handForm(own),
});

const ABOUT: Readonly<Record<Way, string>> = {
  file: 'The file is read here in the browser; of a GGUF file only the header.',
  place: 'The server reads the config.json of the repository, or the first part of a file.',
  hand: 'A dense model with plain attention. Experts, windows or latent attention come with a config.json.',
};

interface Props {
  own: OwnModel | null;
  draft: DescribeDraft;
  onDraft: (draft: DescribeDraft) => void;
  onClose: () => void;
  onUse: (own: OwnModel) => void;
}

/** Facts of a model from a file or its text, from Hugging Face, or written by hand. */
export function DescribeDialog({ own, draft, onDraft, onClose, onUse }: Props) {
  const formId = useId();
  const client = useTRPCClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [errors, setErrors] = useState<HandErrors>({});
  const [reading, setReading] = useState(false);
  const change = (part: Partial<DescribeDraft>) => {
    setProblem(null);
    onDraft({ ...draft, ...part });
  };
  const take = async (read: () => Promise<Described>) => {
    setReading(true);
    try {
      const { own: facts, problem: reason } = await read();
      if (facts) onUse(facts);
      else setProblem(reason);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setReading(false);
    }
  };
  const takeHand = (form: HTMLFormElement) => {
    const read = readHandForm(draft.hand, own);
    setErrors(read.errors ?? {});
    if (read.own) onUse(read.own);
    // After the fields have been marked.
    else setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), 0);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (draft.way === 'hand') return takeHand(event.currentTarget);
    if (draft.way === 'file') return void take(() => describeText(draft.text));
    void take(async () => describedFrom(await client.models.describe.mutate(sourceOfPlace(draft.place))));
  };
  const isEmpty = { file: draft.text.trim() === '', place: draft.place.trim() === '', hand: false }[draft.way];
  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Describe a model of your own"
      description={ABOUT[draft.way]}
      actions={
        <Button type="submit" form={formId} tone="primary" disabled={isEmpty || reading}>
          {reading ? 'Reading…' : draft.way === 'place' ? 'Look it up' : 'Use these facts'}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Tabs value={draft.way} onValueChange={(way) => change({ way })} className="grid gap-3">
          <TabList label="Where the facts come from" items={WAYS} />
          <TabPanel value="file" className="grid gap-3" tabIndex={-1}>
            <DescribeByFile
              text={draft.text}
              onText={(text) => change({ text })}
              onFile={(file) => void take(() => describeFile(file))}
            />
          </TabPanel>
          <TabPanel value="place" tabIndex={-1}>
            <DescribeByPlace place={draft.place} onPlace={(place) => change({ place })} />
          </TabPanel>
          <TabPanel value="hand" tabIndex={-1}>
            <DescribeByHand
              form={draft.hand}
              errors={errors}
              onField={(field, value) => {
                setErrors(({ [field]: _solved, ...rest }) => rest);
                change({ hand: { ...draft.hand, [field]: value } });
              }}
            />
          </TabPanel>
        </Tabs>
        {problem ? (
          <p role="alert" className="text-error text-xs [overflow-wrap:anywhere]">
            {problem}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
