'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import { Input } from '@/app/_ui/input';
import type { ParsedValue } from './parse-value';

type TextControlProps = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  /** The document's value as text. */
  text: string;
  parse: (text: string) => ParsedValue;
  onValue: (value: unknown) => void;
  onProblem: (message: string | null) => void;
};

/**
 * Text that becomes a value with each key where it can. What cannot be read stays in the field with its reason and
 * does not reach the document; leaving the field puts the document's value back.
 */
export function TextControl({ text, parse, onValue, onProblem, ...rest }: TextControlProps) {
  const [draft, setDraft] = useState<string | null>(null);
  // A value from elsewhere (undo, a quick fix) replaces the draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the document's text changes
  useEffect(() => setDraft((old) => (old !== null && parse(old).ok ? old : null)), [text]);
  const change = (next: string) => {
    setDraft(next);
    const parsed = parse(next);
    onProblem(parsed.ok ? null : parsed.message);
    if (parsed.ok) onValue(parsed.value);
  };
  const leave = () => {
    setDraft(null);
    onProblem(null);
  };
  return <Input {...rest} value={draft ?? text} onChange={(event) => change(event.target.value)} onBlur={leave} />;
}
