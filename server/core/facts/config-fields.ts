export type Config = Readonly<Record<string, unknown>>;

export const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own keys only: a key such as `constructor` is not there unless the text has it. */
const field = (config: Config, name: string): unknown => (Object.hasOwn(config, name) ? config[name] : undefined);

/** A positive whole number; null where there is none. */
export function count(config: Config, name: string): number | null {
  const value = field(config, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

export function number(config: Config, name: string): number | null {
  const value = field(config, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function text(config: Config, name: string): string | null {
  const value = field(config, name);
  return typeof value === 'string' && value.length <= 200 ? value : null;
}

export function flag(config: Config, name: string): boolean | null {
  const value = field(config, name);
  return typeof value === 'boolean' ? value : null;
}

export function list(config: Config, name: string): readonly unknown[] | null {
  const value = field(config, name);
  return Array.isArray(value) ? value : null;
}

export function object(config: Config, name: string): Config | null {
  const value = field(config, name);
  return isConfig(value) ? value : null;
}

/** The first of several spellings that holds a positive whole number. */
export const firstCount = (config: Config, ...names: readonly string[]): number | null =>
  names.map((name) => count(config, name)).find((value) => value !== null) ?? null;
