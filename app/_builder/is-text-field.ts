const TEXTLESS_INPUTS = new Set(['checkbox', 'radio', 'button', 'submit', 'range', 'file', 'color']);

/** True where keys edit text or choose from a list, so that single-key shortcuts must stay away. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !TEXTLESS_INPUTS.has(target.type);
}
