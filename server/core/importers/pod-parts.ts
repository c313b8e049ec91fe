import type { Invocation } from './importer';
import { isRecord, listOf, recordOf, textOf } from './read-yaml';

export const isDeviceKey = (key: string): boolean => /(?:^|[./])(?:gpu|mig-[\w.]+|i915|xe)$/i.test(key);

export const textsOf = (value: unknown): string[] => listOf(value).flatMap((item) => textOf(item) ?? []);

/** Name by which a variable's value is known where a secret holds it. */
function secretOf(source: unknown, variable: string): string {
  const key = textOf(recordOf(recordOf(source).secretKeyRef).key) ?? '';
  return key.startsWith('INFERLOOM_SECRET_') ? `$${key}` : `$${variable}`;
}

/** Variables of a container; one that comes from a secret or another source is named, its value is not there. */
export function environmentOf(container: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    listOf(container.env).map((item) => {
      const { name, value, valueFrom } = recordOf(item);
      const variable = textOf(name) ?? '';
      return [variable, textOf(value) ?? secretOf(valueFrom, variable)];
    }),
  );
}

export function devicesOf(container: Record<string, unknown>): Invocation['devices'] {
  const { limits, requests } = recordOf(container.resources);
  const entry = Object.entries({ ...recordOf(requests), ...recordOf(limits) }).find(([key]) => isDeviceKey(key));
  const count = Number(textOf(entry?.[1]) ?? Number.NaN);
  return Number.isInteger(count) && count > 0 ? count : null;
}

const DEVICE_LABELS = /gpu\.product|gke-accelerator|instance-gpu-name|gpu-type|accelerator/i;

/** Device that a pod's node selector or affinity names, as the node's label writes it. */
export function deviceOf(pod: Record<string, unknown>): string | null {
  const selected = Object.entries(recordOf(pod.nodeSelector)).find(([key]) => DEVICE_LABELS.test(key))?.[1];
  if (selected !== undefined) return textOf(selected);
  const affinity = recordOf(recordOf(pod.affinity).nodeAffinity);
  const required = recordOf(affinity.requiredDuringSchedulingIgnoredDuringExecution);
  const rules = listOf(required.nodeSelectorTerms).flatMap((term) => listOf(recordOf(term).matchExpressions));
  const rule = rules.filter(isRecord).find(({ key }) => DEVICE_LABELS.test(textOf(key) ?? ''));
  return textOf(listOf(rule?.values)[0]);
}
