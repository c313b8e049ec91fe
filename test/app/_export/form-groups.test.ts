import { describe, expect, it } from 'vitest';
import { formGroups, refusedForms, searchGroups } from '@/app/_export/form-groups';
import { EXPORT_GROUPS } from '@/server/core/exporters/exporter';
import { EXPORTERS } from '@/server/core/exporters/index';
import { llamaOnCpu, vllmOn } from '@/test/fixtures/cluster-plans';

const plan = vllmOn('H100-SXM', 1);

describe('forms of a plan', () => {
  it('stand by purpose, each once, refused ones apart', () => {
    for (const one of [plan, llamaOnCpu()]) {
      const shown = formGroups(EXPORTERS, one, '').flatMap(({ forms }) => forms.map(({ id }) => id));
      const refused = refusedForms(EXPORTERS, one).map(({ id }) => id);
      expect([...shown, ...refused].sort()).toEqual(EXPORTERS.map(({ id }) => id).sort());
      expect(new Set(shown).size).toBe(shown.length);
    }
  });

  it('follow the order of purposes', () => {
    const used = EXPORT_GROUPS.filter((group) => EXPORTERS.some((form) => form.group === group && form.supports(plan)));
    expect(formGroups(EXPORTERS, plan, '').length).toBe(used.length);
    expect(formGroups(EXPORTERS, plan, '')[0]?.title).toBe('Command line');
  });

  it('are found by words of title, summary or purpose, in any case', () => {
    const found = (query: string) =>
      formGroups(EXPORTERS, plan, query).flatMap(({ forms }) => forms.map(({ id }) => id));
    expect(found('kserve LLM')).toEqual(['kserve-llm-inference-service']);
    expect(found('  CLUSTER leaderworkerset ')).toEqual(['kubernetes']);
    expect(found('no such form')).toEqual([]);
    const graph = { title: 'Graph', forms: [{ id: 'pipeline', title: 'Pipeline file', summary: 'to import again' }] };
    expect(searchGroups([graph], ' graph IMPORT')).toEqual([graph]);
    expect(searchGroups([graph], 'compose')).toEqual([]);
  });

  it('say why a plan does not have them', () => {
    expect(refusedForms(EXPORTERS, llamaOnCpu()).find(({ id }) => id === 'ray-serve')?.reason).toMatch(/llama\.cpp/);
  });
});
