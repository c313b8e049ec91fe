import { loadText } from '@/app/_charts/chart-input';
import { Select } from '@/app/_ui/select';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { Workload } from '@/server/core/workload/workload';

interface Props {
  spec: Pick<ExperimentSpec, 'workloads'>;
  workload: Workload;
  loadIndex: number;
  onChange: (choice: { workload: string; load: number }) => void;
}

/** Which workload and load level the figures are of; absent where there is only one. */
export function LoadPicker({ spec, workload, loadIndex, onChange }: Props) {
  const options = spec.workloads.flatMap((w) =>
    w.loads.map((load, index) => ({
      value: `${index}/${w.id}`,
      label: `${w.title}, ${loadText(load)}${w.role === 'guard' ? ' (guard)' : ''}`,
    })),
  );
  if (options.length < 2) return null;
  return (
    <Select
      aria-label="Workload and load level"
      className="w-64"
      options={options}
      value={`${loadIndex}/${workload.id}`}
      onValueChange={(value) => {
        const cut = value.indexOf('/');
        onChange({ load: Number(value.slice(0, cut)), workload: value.slice(cut + 1) });
      }}
    />
  );
}
