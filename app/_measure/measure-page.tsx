'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Field } from '@/app/_ui/field';
import { formatDuration } from '@/app/_ui/format';
import { Problem } from '@/app/_ui/problem';
import { Select } from '@/app/_ui/select';
import { leastSeconds, PRESETS } from './presets';
import { emptyTarget, type TargetDraft, targetErrors, toTarget } from './target';
import { TargetFields } from './target-fields';

const BLOCKS = 3;
const PRESET_IDS = PRESETS.map((preset) => preset.id);

/** From an address to a baseline: one endpoint, or two side by side. */
export function MeasurePage() {
  const trpc = useTRPC();
  const router = useRouter();
  const [presetId, setPresetId] = useQueryState('preset', parseAsStringLiteral(PRESET_IDS).withDefault('chat'));
  const preset = PRESETS.find((p) => p.id === presetId);
  const [targets, setTargets] = useState<TargetDraft[]>([emptyTarget('endpoint')]);
  const [checked, setChecked] = useState(false);
  const measure = useMutation(
    trpc.endpoints.measure.mutationOptions({
      onSuccess: (result) => {
        if (result.started) router.push(`/experiments/${result.experimentId}`);
      },
    }),
  );
  const errors = targets.map(targetErrors);
  const faulty = errors.some((e) => Object.keys(e).length > 0);
  const submit = () => {
    setChecked(true);
    if (faulty || !preset) return;
    const { inputTokens, outputTokens, concurrency, windowS } = preset;
    measure.mutate({ targets: targets.map(toTarget), inputTokens, outputTokens, concurrency, windowS, blocks: BLOCKS });
  };
  const refused = measure.data && !measure.data.started ? measure.data.findings : [];
  return (
    <form
      className="mx-auto grid max-w-4xl gap-4 px-4 py-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div>
        <h1 className="text-title">Measure an endpoint</h1>
        <p className="text-dim">
          Latency and throughput of an API that runs already, measured from a worker. With two, the first is the
          baseline of the second.
        </p>
      </div>
      <div className="grid gap-3 md:grid-cols-2">
        {targets.map((target, i) => (
          <TargetFields
            // biome-ignore lint/suspicious/noArrayIndexKey: the first and the second are places, not things
            key={i}
            title={targets.length === 1 ? 'Endpoint' : i === 0 ? 'Baseline' : 'Compared with it'}
            target={target}
            errors={checked ? (errors[i] ?? {}) : {}}
            onChange={(next) => setTargets(targets.map((old, place) => (place === i ? next : old)))}
          />
        ))}
        <div className="self-start">
          {targets.length === 1 ? (
            <Button onClick={() => setTargets([...targets, emptyTarget('second endpoint')])}>
              Compare with another
            </Button>
          ) : (
            <Button onClick={() => setTargets(targets.slice(0, 1))}>Take the second out</Button>
          )}
        </div>
      </div>
      <Field
        label="Workload"
        className="max-w-sm"
        hint={
          preset
            ? `Closed loop, ${BLOCKS} blocks; about ${formatDuration(leastSeconds(preset, targets.length, BLOCKS))}.`
            : null
        }
      >
        {(ids) => (
          <Select
            {...ids}
            options={PRESETS.map((p) => ({ value: p.id, label: p.title }))}
            value={presetId}
            onValueChange={(value) => void setPresetId(value)}
          />
        )}
      </Field>
      {measure.isError ? <Problem title="It was not started.">{measure.error.message}</Problem> : null}
      {refused.length > 0 ? (
        <Problem title="It was not started.">
          <ul className="list-disc pl-5">
            {refused.map((finding) => (
              <li key={`${finding.code}-${finding.message}`}>{finding.message}</li>
            ))}
          </ul>
        </Problem>
      ) : null}
      <div>
        <Button type="submit" tone="primary" size="lg" disabled={measure.isPending}>
          {measure.isPending ? 'Starting' : 'Measure'}
        </Button>
      </div>
    </form>
  );
}
