import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import type { TargetDraft, TargetErrors } from './target';

interface Props {
  title: string;
  target: TargetDraft;
  errors: TargetErrors;
  onChange: (target: TargetDraft) => void;
}

/** Address, model, key and name of one endpoint. */
export function TargetFields({ title, target, errors, onChange }: Props) {
  const set = (field: keyof TargetDraft) => (event: { target: { value: string } }) =>
    onChange({ ...target, [field]: event.target.value });
  return (
    <fieldset className="grid content-start gap-3 rounded-md border bg-panel px-3 pt-1 pb-3">
      <legend className="px-1 text-dim">{title}</legend>
      <Field
        label="URL"
        hint="Of an OpenAI-compatible API; it must be reachable from a worker."
        error={errors.url ?? null}
      >
        {(ids) => (
          <Input
            {...ids}
            type="url"
            inputMode="url"
            placeholder="https://api.example.com/v1"
            value={target.url}
            onChange={set('url')}
          />
        )}
      </Field>
      <Field label="Model" error={errors.model ?? null}>
        {(ids) => <Input {...ids} value={target.model} onChange={set('model')} />}
      </Field>
      <Field label="API key" hint="Optional. Kept as a secret of the team and never shown again.">
        {(ids) => <Input {...ids} type="password" autoComplete="off" value={target.apiKey} onChange={set('apiKey')} />}
      </Field>
      <Field label="Name on the charts" error={errors.label ?? null}>
        {(ids) => <Input {...ids} maxLength={100} value={target.label} onChange={set('label')} />}
      </Field>
    </fieldset>
  );
}
