'use client';

import { useId, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { Input } from '@/app/_ui/input';
import { ScrollRegion } from '@/app/_ui/scroll-region';
import { EXPORTERS } from '@/server/core/exporters';
import type { Plan } from '@/server/core/plan/plan';
import { type FormGroup, formGroups, refusedForms, searchGroups } from './form-groups';

interface Props {
  plan: Plan;
  /** Forms that are no exporter of a plan, shown last. */
  more: readonly FormGroup[];
  value: string;
  onValueChange: (id: string) => void;
}

/** Every form of a plan by purpose, with a search; one is chosen. */
export function FormPicker({ plan, more, value, onValueChange }: Props) {
  const [query, setQuery] = useState('');
  const name = useId();
  const groups = [...formGroups(EXPORTERS, plan, query), ...searchGroups(more, query)];
  return (
    <div className="grid content-start gap-2">
      <Input
        type="search"
        aria-label="Search forms"
        placeholder="Search forms"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ScrollRegion
        label="Forms"
        className="max-h-52 overflow-y-auto rounded-md border border-line p-1 sm:max-h-[26rem]"
      >
        {groups.map((group) => (
          <FormGroupList key={group.title} group={group} name={name} value={value} onValueChange={onValueChange} />
        ))}
        {groups.length === 0 ? <p className="px-2 py-3 text-dim">No form of that name. Try another word.</p> : null}
      </ScrollRegion>
      <Refusals plan={plan} />
    </div>
  );
}

type GroupProps = Omit<Props, 'plan' | 'more'> & { group: FormGroup; name: string };

function FormGroupList({ group, name, value, onValueChange }: GroupProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="px-2 pt-1 text-xs text-faint">{group.title}</legend>
      {group.forms.map((form) => (
        <label
          key={form.id}
          className={cn(
            'flex cursor-pointer items-start gap-2 rounded-md px-2 py-1 hover:bg-grid',
            form.id === value && 'bg-grid',
          )}
        >
          <input
            type="radio"
            name={name}
            value={form.id}
            checked={form.id === value}
            onChange={() => onValueChange(form.id)}
            className="mt-1 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="block text-ink">{form.title}</span>
            <span className="block text-xs text-dim">{form.summary}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Forms that this plan does not have, folded away. */
function Refusals({ plan }: { plan: Plan }) {
  const refused = refusedForms(EXPORTERS, plan);
  if (refused.length === 0) return null;
  return (
    <details className="text-xs text-dim">
      <summary className="cursor-pointer">
        {refused.length} {refused.length === 1 ? 'form does' : 'forms do'} not fit this plan
      </summary>
      <ul className="mt-1 grid gap-1">
        {refused.map(({ id, title, reason }) => (
          <li key={id}>
            Not as {title}: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
