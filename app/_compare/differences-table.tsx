import { ArmSwatch } from '@/app/_charts/arm-swatch';
import { cn } from '@/app/_ui/cn';
import { formatSetting } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import type { Plan } from '@/server/core/plan/plan';
import { differences } from './differences';

/** The plans side by side. A value that differs from the baseline's is in full ink; one by default is marked so. */
export function DifferencesTable({ plans, onlyDifferences }: { plans: readonly Plan[]; onlyDifferences: boolean }) {
  const rows = differences(plans).filter((row) => row.differs || !onlyDifferences);
  if (rows.length === 0) return <p className="text-dim">The plans do not differ.</p>;
  const base = Math.max(
    0,
    plans.findIndex((plan) => plan.isBaseline),
  );
  return (
    <Table label="Plans side by side">
      <Thead>
        <Tr>
          <Th>Setting</Th>
          {plans.map((plan, arm) => (
            <Th key={plan.deployment} className="text-ink">
              <ArmSwatch arm={arm} isBaseline={plan.isBaseline} />
              {plan.label}
            </Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={`${row.group}/${row.name}`}>
            <Td className="whitespace-nowrap text-dim">{row.name}</Td>
            {row.values.map((value, arm) => {
              const same = JSON.stringify(value ?? null) === JSON.stringify(row.values[base] ?? null);
              return (
                <Td
                  key={plans[arm]?.deployment}
                  className={cn('mono whitespace-nowrap', same ? 'text-faint' : 'text-ink')}
                >
                  {formatSetting(value)}
                  {row.isDefault[arm] ? <span className="text-faint"> default</span> : null}
                </Td>
              );
            })}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
