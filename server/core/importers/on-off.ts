const truths: Readonly<Record<string, 'on' | 'off'>> = {
  on: 'on',
  enabled: 'on',
  true: 'on',
  '1': 'on',
  yes: 'on',
  off: 'off',
  disabled: 'off',
  false: 'off',
  '0': 'off',
  no: 'off',
};
/** Truth value as llama.cpp and shells write it; null for anything else. */
export const onOff = (text: string): 'on' | 'off' | null => truths[text.toLowerCase()] ?? null;
