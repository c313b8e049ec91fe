/** A JSON Schema, draft 7. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string', minLength: 1 };
export const anyText: Schema = { type: 'string' };
export const whole: Schema = { type: 'integer', minimum: 0 };
export const positive: Schema = { type: 'integer', minimum: 1 };
export const number: Schema = { type: 'number' };
export const yesNo: Schema = { type: 'boolean' };
export const anything: Schema = {};
export const intOrText: Schema = { type: ['integer', 'string'] };
/** A Kubernetes quantity, e.g. `20Gi`, `2`, `500m`. */
export const quantity: Schema = { type: ['string', 'integer'], pattern: '^[0-9]+(\\.[0-9]+)?([KMGTPE]i?|m)?$' };
export const literal = (...values: readonly (string | number | boolean)[]): Schema => ({ enum: values });
export const list = (items: Schema, least = 0): Schema => ({ type: 'array', items, minItems: least });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const eitherOf = (...schemas: readonly Schema[]): Schema => ({ anyOf: schemas });

/** An object whose keys are all known: a misspelt one fails. A key that ends in `!` must be there. */
export function strict(properties: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(properties);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(entries.map(([key, schema]) => [key.replace(/!$/, ''), schema])),
    required: entries.flatMap(([key]) => (key.endsWith('!') ? [key.slice(0, -1)] : [])),
  };
}
