import { hashOf } from '../../plan/canonical';
import type { Component, Plan } from '../../plan/plan';

const MAX_NAME = 40;

/** A DNS label of any text: lower case, digits, hyphens, a letter first. Texts that differ give names that differ. */
export function dnsLabel(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const named = /^[a-z]/.test(slug) ? slug : `llm-${slug}`.replace(/-$/, '');
  if (named === text && named.length <= MAX_NAME) return named;
  const end = hashOf(text).slice(0, 6);
  return `${named.slice(0, MAX_NAME - 7).replace(/-+$/, '')}-${end}`;
}

/** Objects of a deployment; those of a pool say which. */
export const objectName = (plan: Plan, component: Component): string =>
  plan.components.length === 1 ? dnsLabel(plan.deployment) : `${dnsLabel(plan.deployment)}-${dnsLabel(component.name)}`;

const labelValue = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 63);

export const selectorLabels = (name: string): Record<string, string> => ({ 'app.kubernetes.io/instance': name });

export const objectLabels = (name: string, component: Component): Record<string, string> => ({
  ...selectorLabels(name),
  'app.kubernetes.io/name': dnsLabel(component.engine.replaceAll('.', '-')),
  'app.kubernetes.io/component': component.role,
  'app.kubernetes.io/version': labelValue(component.engineVersion),
  'app.kubernetes.io/managed-by': 'inferloom',
});

/** Secret that holds every referenced value, under its own name. */
export const SECRET_NAME = 'inferloom-secrets';
/** Secret with the Hugging Face token; only gated repositories need it. */
export const HUB_SECRET = { name: 'hf-token', key: 'token' } as const;
