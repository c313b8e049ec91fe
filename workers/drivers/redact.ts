/** Keys whose values are never written: matched in `key: value`, `key=value` and `--key value`. */
const SECRET_KEY = String.raw`[\w.-]*(?:api[_-]?key|access[_-]?key|authorization|passw(?:or)?d|secret|token)(?![_-]?(?:s|count|ize\w*|ids?|per)\b)`;
const KEYED = new RegExp(
  String.raw`((?:^|[\s"'{,(&?])-{0,2}(?:${SECRET_KEY})["']?\s*(?:[:=]\s*|\s+))("[^"]*"|'[^']*'|(?:Bearer\s+)?[^\s"',;&)}]+)`,
  'gi',
);
/** Shapes of well-known credentials, wherever they stand. */
const SHAPES: readonly RegExp[] = [
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\bhf_[A-Za-z0-9]{16,}\b/g,
  /\bsk-[A-Za-z0-9_-]{16,}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}\b/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
];
const HIDDEN = '[redacted]';

/** Flags and fields that name tokens of text, not credentials; a bare number or `on|off` never is a credential. */
const HARMLESS_VALUE = /^["']?(?:\d+(?:\.\d+)?|true|false|on|off|null|none)["']?$/i;

/**
 * Builds a function that hides secrets in text: the values given (8 characters or more anywhere, shorter ones as a
 * whole word), values after keys that name a secret, and the shapes of well-known credentials.
 */
export function createRedactor(secretValues: readonly string[]): (text: string) => string {
  const values = [...new Set(secretValues)].filter((v) => v !== '').sort((a, b) => b.length - a.length);
  const literals = values.map((value) => {
    const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(value.length >= 8 ? escaped : String.raw`(?<![\w-])${escaped}(?![\w-])`, 'g');
  });
  return (text) => {
    let out = text;
    for (const literal of literals) out = out.replace(literal, HIDDEN);
    out = out.replace(KEYED, (whole, key: string, value: string) =>
      HARMLESS_VALUE.test(value) ? whole : `${key}${HIDDEN}`,
    );
    for (const shape of SHAPES) out = out.replace(shape, HIDDEN);
    return out;
  };
}
