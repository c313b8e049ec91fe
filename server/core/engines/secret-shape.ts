/** Name of a flag or variable whose value is a secret. `--tokenizer` and `--max-num-batched-tokens` are none. */
const SECRET_NAME = /(?:^|[-_.])(?:api[-_]?keys?|token|secret|secret[-_]?key|access[-_]?key|password|passwd)$/i;

/** Tokens of known issuers, bearer tokens, passwords in URLs, and long mixed random words. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bhf_[A-Za-z0-9]{16,}/,
  /\bsk-[A-Za-z0-9_-]{16,}/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bxox[abp]-[A-Za-z0-9-]{10,}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{30,}/,
  /\bnvapi-[A-Za-z0-9_-]{16,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/,
  /\b(?<=:\/\/[^\s/:@]{1,64}:)[^\s/@]+(?=@)/,
  /(?<![A-Za-z0-9+/=])(?=[A-Za-z0-9+=]*[a-z])(?=[A-Za-z0-9+=]*[A-Z])(?=[A-Za-z0-9+=]*\d)[A-Za-z0-9+=]{32,}(?![A-Za-z0-9+/=])/,
];

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A text that names a variable instead of holding the secret. */
export const isReference = (value: string): boolean => /^\$(?:\w+|\{[^}]*\}|\([^)]*\))$/.test(value);

/** Whether something in the text has the shape of a secret. */
export const holdsSecret = (text: string): boolean => SECRET_SHAPES.some((shape) => shape.test(text));

/** The text with everything of that shape replaced. */
export const withoutSecrets = (text: string, replacement: string): string =>
  SECRET_SHAPES.reduce((result, shape) => result.replace(new RegExp(shape, 'g'), () => replacement), text);
