'use client';

import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import { Select } from '@/app/_ui/select';
import { HAND_COUNTS, HAND_FORMATS, type HandErrors, type HandField, type HandForm } from './hand-facts';

interface Props {
  form: HandForm;
  errors: HandErrors;
  onField: (field: HandField, value: string) => void;
}

const TIED = [
  { value: '', label: 'not known' },
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
];

/** A format that came with the facts and is none of ours stays on offer. */
const formatOptions = (chosen: string) => [
  { value: '', label: 'not known' },
  ...[...new Set([...(chosen === '' ? [] : [chosen]), ...HAND_FORMATS])].map((value) => ({ value, label: value })),
];

/** The few numbers that memory and speed follow from, under the names that a config.json gives them. */
export function DescribeByHand({ form, errors, onField }: Props) {
  return (
    <div className="grid grid-cols-2 items-start gap-x-3 gap-y-2">
      {HAND_COUNTS.map(({ name, label, key, empty }) => (
        <Field
          key={name}
          label={label}
          error={errors[name] ?? null}
          hint={<span className="mono text-2xs [overflow-wrap:anywhere]">{key}</span>}
        >
          {(ids) => (
            <Input
              {...ids}
              className="mono"
              inputMode="numeric"
              autoComplete="off"
              placeholder={empty ?? 'needed'}
              value={form[name]}
              onChange={({ target }) => onField(name, target.value)}
            />
          )}
        </Field>
      ))}
      <Field
        label="Parameters"
        error={errors.params ?? null}
        hint="Such as 8.03B. Empty: counted, if the MLP width and tied are given."
      >
        {(ids) => (
          <Input
            {...ids}
            className="mono"
            autoComplete="off"
            placeholder="counted"
            value={form.params}
            onChange={({ target }) => onField('params', target.value)}
          />
        )}
      </Field>
      <Field label="Tied embeddings" hint="One matrix reads and writes tokens.">
        {(ids) => (
          <Select {...ids} value={form.tied} options={TIED} onValueChange={(value) => onField('tied', value)} />
        )}
      </Field>
      <Field
        label="Weight format"
        className="col-span-2"
        hint="In what the checkpoint stands before any quantization node."
      >
        {(ids) => (
          <Select
            {...ids}
            className="mono"
            value={form.format}
            options={formatOptions(form.format)}
            onValueChange={(value) => onField('format', value)}
          />
        )}
      </Field>
    </div>
  );
}
