'use client';

import { METRIC_INFO } from '@/server/core/metrics/metric-info';
import type { ParamControlProps } from './param-control';
import { checkValue, parseList } from './parse-value';
import { TextControl } from './text-control';

const metricTitle = (key: string): string => METRIC_INFO[key]?.label ?? key;

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Several of a few: check boxes. Free lists: text with commas. */
export function ListControl({ ids, type, param, value, onValue, onProblem }: ParamControlProps) {
  const chosen = asList(value ?? param.default);
  if (!param.options) {
    return (
      <TextControl
        {...ids}
        className="mono"
        text={chosen.join(', ')}
        parse={(typed) => parseList(type, param, typed)}
        onValue={onValue}
        onProblem={onProblem}
      />
    );
  }
  const toggle = (option: string) => {
    const next = chosen.includes(option) ? chosen.filter((other) => other !== option) : [...chosen, option];
    const problem = checkValue(type, param.name, next);
    onProblem(problem);
    if (problem === null) onValue(next);
  };
  return (
    <CheckList
      ids={ids}
      label={param.label}
      options={param.options}
      chosen={chosen}
      onToggle={toggle}
      titles={param.control === 'metrics' ? metricTitle : undefined}
    />
  );
}

interface CheckListProps {
  ids: ParamControlProps['ids'];
  label: string;
  options: readonly string[];
  chosen: readonly unknown[];
  onToggle: (option: string) => void;
  /** What an option is called; its own text where there is no better name. */
  titles?: ((option: string) => string) | undefined;
}

/** Chosen ones first, so that four of sixty are seen without scrolling. */
export function CheckList({ ids, label, options, chosen, onToggle, titles }: CheckListProps) {
  const ordered = [...options].sort((a, b) => Number(chosen.includes(b)) - Number(chosen.includes(a)));
  return (
    <fieldset
      {...ids}
      aria-label={label}
      className="max-h-36 overflow-y-auto rounded-md border border-line-strong px-2 py-1"
    >
      {ordered.map((option) => (
        <label key={option} className="flex items-center gap-2 py-px">
          <input
            type="checkbox"
            className="size-3.5 accent-accent"
            checked={chosen.includes(option)}
            onChange={() => onToggle(option)}
          />
          {titles ? titles(option) : <span className="mono">{option}</span>}
        </label>
      ))}
    </fieldset>
  );
}
