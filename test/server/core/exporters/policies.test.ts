import { describe, expect, it } from 'vitest';
import { EXPORTERS } from '@/server/core/exporters/index';
import { policyEntries } from '@/server/core/exporters/policies-left-out';
import type { Policies } from '@/server/core/plan/policies';
import { exported } from '@/test/fixtures/export-form';
import { POLICIES, vllmPlan } from '@/test/fixtures/gateway-plans';

/** The policies without one entry: a field becomes null or empty, a rate limit is taken out. */
function without(path: string): Policies {
  const copy = structuredClone(POLICIES) as unknown as Record<string, Record<string, unknown>>;
  const [part = '', field = ''] = path.split('.');
  const index = /\[(\d+)\]$/.exec(field)?.[1];
  const name = field.replace(/\[\d+\]$/, '');
  const policy = copy[part] ?? {};
  if (index === undefined) policy[name] = Array.isArray(policy[name]) ? [] : null;
  else policy[name] = (policy[name] as unknown[]).filter((_, i) => i !== Number(index));
  return copy as unknown as Policies;
}

const FORMS = EXPORTERS.filter(({ group }) => group === 'command line' || group === 'gateway').filter((form) =>
  form.supports(vllmPlan(POLICIES)),
);

describe.each(FORMS.map(({ id }) => id))('policies in %s', (id) => {
  const all = exported(vllmPlan(POLICIES), id);

  it.each(policyEntries(POLICIES).map(({ path }) => path))('%s comes out or is said', (path) => {
    const less = exported(vllmPlan(without(path)), id);
    const says = all.findings.some(({ code, message }) => code === 'not-in-manifest' && message.startsWith(path));
    const bodies = [all, less].map(({ files }) => files.map(({ content }) => content.replace(/^# .*$/gm, '')).join());
    expect(says || bodies[0] !== bodies[1]).toBe(true);
  });

  it('findings name a node', () => {
    const about = all.findings.filter(({ code }) => code === 'not-in-manifest' || code === 'held-otherwise');
    expect(about.filter(({ nodeId }) => nodeId === null)).toEqual([]);
  });
});

describe('forms', () => {
  it('are tested, all of the two groups that fit', () => {
    expect(FORMS.map(({ id }) => id)).toEqual([
      'vllm-serve',
      'systemd-unit',
      'litellm-config',
      'nginx-config',
      'envoy-config',
    ]);
  });
});
