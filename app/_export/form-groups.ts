import type { Exporter, ExportGroup } from '@/server/core/exporters/exporter';
import { EXPORT_GROUPS } from '@/server/core/exporters/exporter';
import type { Plan } from '@/server/core/plan/plan';

/** One form as a list shows it. */
interface FormEntry {
  id: string;
  title: string;
  summary: string;
}

export interface FormGroup {
  title: string;
  forms: FormEntry[];
}

const TITLES: Readonly<Record<ExportGroup, string>> = {
  'command line': 'Command line',
  container: 'Container',
  cluster: 'Cluster',
  gateway: 'Gateway',
  monitoring: 'Monitoring',
  weights: 'Weights',
  benchmark: 'Benchmark',
};

type Form = Pick<Exporter, 'id' | 'group' | 'title' | 'summary' | 'refusal'>;

const matches = (text: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** The forms that a plan can be written in, by purpose; every word of the query stands in group, title or summary. */
export function formGroups(forms: readonly Form[], plan: Plan, query: string): FormGroup[] {
  return EXPORT_GROUPS.map((group) => ({
    title: TITLES[group],
    forms: forms
      .filter((form) => form.group === group && form.refusal(plan) === null)
      .filter(({ title, summary }) => matches(`${TITLES[group]} ${title} ${summary}`, query.trim()))
      .map(({ id, title, summary }) => ({ id, title, summary })),
  })).filter((group) => group.forms.length > 0);
}

/** Groups whose forms are no exporter of a plan, by the same search. */
export const searchGroups = (groups: readonly FormGroup[], query: string): FormGroup[] =>
  groups
    .map((group) => ({
      ...group,
      forms: group.forms.filter(({ title, summary }) => matches(`${group.title} ${title} ${summary}`, query.trim())),
    }))
    .filter(({ forms }) => forms.length > 0);

/** The forms that a plan does not have, each with the reason. */
export const refusedForms = (forms: readonly Form[], plan: Plan): { id: string; title: string; reason: string }[] =>
  forms.flatMap(({ id, title, refusal }) => {
    const reason = refusal(plan);
    return reason === null ? [] : [{ id, title, reason }];
  });
