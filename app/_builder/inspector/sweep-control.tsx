'use client';

import type { ParamDescription } from '@/server/core/catalog/param';
import type { Sweep } from '@/server/core/pipeline/document';
import { CheckList } from './list-control';
import type { ControlIds } from './param-control';
import { parseValues } from './parse-value';
import { TextControl } from './text-control';

interface SweepControlProps {
  ids: ControlIds;
  type: string;
  param: ParamDescription;
  sweep: Sweep;
  onValue: (value: Sweep) => void;
  onProblem: (message: string | null) => void;
}

/** Several values of one parameter: boxes where the values are known, text with commas otherwise. */
export function SweepControl({ ids, type, param, sweep, onValue, onProblem }: SweepControlProps) {
  if (param.options) {
    const toggle = (option: string) => {
      const chosen = sweep.$sweep;
      onValue({ $sweep: chosen.includes(option) ? chosen.filter((v) => v !== option) : [...chosen, option] });
    };
    return (
      <CheckList
        ids={ids}
        label={`${param.label}: values`}
        options={param.options}
        chosen={sweep.$sweep}
        onToggle={toggle}
      />
    );
  }
  return (
    <TextControl
      {...ids}
      className="mono"
      placeholder="values, separated by commas"
      text={sweep.$sweep.join(', ')}
      parse={(typed) => parseValues(type, param, typed)}
      onValue={(values) => onValue({ $sweep: Array.isArray(values) ? values : [] })}
      onProblem={onProblem}
    />
  );
}

/** What a parameter is swept over at first: its value now, then the values on offer. */
export function firstSweep(param: ParamDescription, value: unknown): Sweep {
  const now = value ?? param.default;
  const offered = param.sweep ?? [];
  const values = now === null || now === undefined ? offered : [now, ...offered.filter((other) => other !== now)];
  return { $sweep: [...values] };
}
