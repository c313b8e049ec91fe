import type { Engine, Lowered, LoweringContext } from '../../engines/engine';
import type { FlagTable } from '../../engines/flag';
import type { Checkpoint } from '../../plan/plan';
import type { Scope, SettingName, SettingValues } from '../../plan/settings';
import type { Mark } from '../mark';
import { carrierOf, type Literal, literalsOf, type SameNames } from './literal';

/** Where settings are looked for: the marks of one engine start and everything that a lowering may ask about it. */
export interface Site {
  engine: Engine;
  table: FlagTable;
  runtime: string | null;
  version: string;
  hardware: LoweringContext['hardware'];
  checkpoint(scope: Scope): Checkpoint | null;
  /** What the engine does where nobody asks. */
  defaults: ReturnType<Engine['defaults']>;
  marks: readonly Mark[];
  same: SameNames;
  /** Whether the text says what requests carry. */
  knowsRequests: boolean;
  /** Lowerings that may still be tried, so that no text keeps the importer busy. */
  budget: { left: number };
  /** Values that our own file tells beside its arguments. */
  told: ReadonlyMap<Key, unknown>;
  /** Settings that our own file names; null for a text of others. */
  named: ReadonlySet<Key> | null;
}

/** `name` in the target, `scope.name` elsewhere. */
export type Key = string;
export const keyOf = (name: SettingName, scope: Scope = 'target'): Key =>
  scope === 'target' ? name : `${scope}.${name}`;
export function partsOf(key: Key): { name: SettingName; scope: Scope } {
  const dot = key.indexOf('.');
  return dot < 0
    ? { name: key as SettingName, scope: 'target' }
    : { name: key.slice(dot + 1) as SettingName, scope: key.slice(0, dot) as Scope };
}

export type Values = ReadonlyMap<Key, unknown>;

export interface Trial {
  literals: Literal[] | null;
  carriedBy: SettingName | null;
  /** Settings that the lowering looked at. */
  read: ReadonlySet<Key>;
}

/** Devices enough for any probe. */
const MANY_DEVICES = 1 << 20;

/** Lowers one value beside others. `probing`: as if there were devices enough, to learn the form of the argument. */
export function tryLowering(site: Site, key: Key, value: unknown, values: Values, probing = false): Trial {
  const { name, scope } = partsOf(key);
  const lowering = site.engine.lowering[name] as
    | ((value: unknown, ctx: LoweringContext, scope: Scope) => Lowered)
    | { unsupported: string };
  site.budget.left -= 1;
  if (typeof lowering !== 'function' || site.budget.left < 0)
    return { literals: null, carriedBy: null, read: new Set() };
  const read = new Set<Key>();
  const context: LoweringContext = {
    runtime: site.runtime,
    version: site.version,
    value: <K extends SettingName>(asked: K, of: Scope = 'target') => {
      const at = keyOf(asked, of);
      read.add(at);
      const known = of === 'target' ? site.defaults[asked]?.value : undefined;
      return (values.has(at) ? values.get(at) : (known ?? null)) as SettingValues[K] | null;
    },
    checkpoint: site.checkpoint,
    hardware: probing ? { ...site.hardware, count: MANY_DEVICES } : site.hardware,
  };
  const lowered = lowering(value, context, scope);
  const literals = literalsOf(lowered, site.table);
  return {
    // Where nothing says what requests carry, they say nothing about a setting either.
    literals: site.knowsRequests ? literals : (literals?.filter(({ kind }) => kind !== 'request') ?? null),
    carriedBy: carrierOf(lowered),
    read,
  };
}
