/** One endpoint as typed. */
export interface TargetDraft {
  label: string;
  url: string;
  model: string;
  apiKey: string;
}
export const emptyTarget = (label: string): TargetDraft => ({ label, url: '', model: '', apiKey: '' });

export type TargetErrors = Partial<Record<keyof TargetDraft, string>>;

/** What is wrong with a typed endpoint, field by field; {} if nothing is. */
export function targetErrors(target: TargetDraft): TargetErrors {
  const errors: TargetErrors = {};
  const url = URL.canParse(target.url.trim()) ? new URL(target.url.trim()) : null;
  if (!url) errors.url = 'Write the whole address, e.g. https://api.example.com/v1.';
  else if (url.protocol !== 'http:' && url.protocol !== 'https:')
    errors.url = 'It must begin with http:// or https://.';
  else if (url.username || url.password) errors.url = 'Put the key into its own field, not into the address.';
  if (target.model.trim() === '') errors.model = 'Write the model’s name as the endpoint knows it.';
  if (target.label.trim() === '') errors.label = 'Give it a name for the charts.';
  return errors;
}

/** What the server takes. A path that ends in an API call is cut back to its base. */
export const toTarget = (target: TargetDraft) => ({
  label: target.label.trim(),
  url: target.url
    .trim()
    .replace(/\/(chat\/)?completions\/?$/, '')
    .replace(/\/+$/, ''),
  model: target.model.trim(),
  apiKey: target.apiKey.trim() === '' ? null : target.apiKey.trim(),
});
