'use client';

import { useId } from 'react';
import { Select } from '@/app/_ui/select';
import { Switch } from '@/app/_ui/switch';
import type { ParamDescription } from '@/server/core/catalog/param';
import { valueText } from '../node-view';
import { useChoices } from './choices';
import { ListControl } from './list-control';
import { ModelFactsControl } from './model-facts-control';
import { parseValue } from './parse-value';
import { TextControl } from './text-control';

export interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface ParamControlProps {
  ids: ControlIds;
  type: string;
  param: ParamDescription;
  /** Undefined: the default holds. */
  value: unknown;
  onValue: (value: unknown) => void;
  onProblem: (message: string | null) => void;
}

const UNSET = '';

/** The control that the parameter's own declaration asks for. */
export function ParamControl(props: ParamControlProps) {
  const { param } = props;
  if (param.control === 'model-facts') return <ModelFactsControl {...props} />;
  if (param.type === 'boolean') return <BooleanControl {...props} />;
  if (param.type === 'list') return <ListControl {...props} />;
  if (param.type === 'enum') return <EnumControl {...props} />;
  return <OpenControl {...props} />;
}

function BooleanControl({ ids, param, value, onValue }: ParamControlProps) {
  const checked = typeof value === 'boolean' ? value : param.default === true;
  return (
    <span className="flex items-center gap-2">
      <Switch {...ids} checked={checked} onCheckedChange={onValue} />
      <span className="text-dim">{checked ? 'on' : 'off'}</span>
    </span>
  );
}

function EnumControl({ ids, param, value, onValue }: ParamControlProps) {
  const known = param.options ?? [];
  const shown = typeof value === 'string' ? value : UNSET;
  const foreign = shown !== UNSET && !known.includes(shown) ? [{ value: shown, label: `${shown} (not known)` }] : [];
  const options = [
    { value: UNSET, label: param.default === null ? 'not set' : `${valueText(param.default)} (default)` },
    ...foreign,
    ...known.map((option) => ({ value: option, label: option })),
  ];
  return (
    <Select
      {...ids}
      className="mono"
      value={shown}
      options={options}
      onValueChange={(next) => onValue(next === UNSET ? undefined : next)}
    />
  );
}

/** Numbers and free text, with known values on offer where a table has them. */
function OpenControl({ ids, type, param, value, onValue, onProblem }: ParamControlProps) {
  const listId = useId();
  const choices = useChoices(param.control);
  const isNumber = param.type === 'integer' || param.type === 'number';
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return (
    <>
      <TextControl
        {...ids}
        className="mono"
        inputMode={isNumber ? 'decimal' : 'text'}
        autoComplete="off"
        spellCheck={false}
        list={choices.length > 0 ? listId : undefined}
        placeholder={param.default === null ? 'not set' : `${valueText(param.default)} (default)`}
        text={text}
        parse={(typed) => parseValue(type, param, typed)}
        onValue={onValue}
        onProblem={onProblem}
      />
      {choices.length > 0 ? (
        <datalist id={listId}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </datalist>
      ) : null}
    </>
  );
}
