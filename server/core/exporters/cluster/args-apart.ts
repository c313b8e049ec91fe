import type { Arg } from '../../plan/plan';
import { originOf } from '../comment';
import type { Launch } from '../launch';
import { noted, text, type YamlMap } from '../yaml-nodes';

/** Arguments that a form writes in a field of its own, apart from the rest. */
interface ArgsApart {
  rest: Arg[];
  /** The value of a flag, with its origin as comment; undefined where the plan has no such argument. */
  textOf(flag: string): ReturnType<typeof text> | undefined;
  numberOf(flag: string): ReturnType<typeof noted<number>> | undefined;
  has(flag: string): boolean;
  /** Where a flag comes from; null where the plan does not have it. */
  originOf(flag: string): string | null;
  /** The positional argument: the model. */
  model: { value: string; origin: string } | null;
}

/** Takes the model and the named flags out of a launch. */
export function argsApart(launch: Launch, flags: readonly string[]): ArgsApart {
  const isModel = (arg: Arg): boolean =>
    arg.value === null && !arg.flag.startsWith('-') && arg.setting === 'weightsFormat';
  const model = launch.args.find(isModel) ?? null;
  const find = (flag: string): Arg | undefined => launch.args.find((arg) => arg.flag === flag);
  return {
    rest: launch.args.filter((arg) => arg !== model && !flags.includes(arg.flag)),
    textOf: (flag) => {
      const arg = find(flag);
      return arg?.value == null ? undefined : text(arg.value, originOf(arg, launch));
    },
    numberOf: (flag) => {
      const arg = find(flag);
      return arg?.value == null ? undefined : noted(Number(arg.value), originOf(arg, launch));
    },
    originOf: (flag) => {
      const arg = find(flag);
      return arg === undefined ? null : originOf(arg, launch);
    },
    has: (flag) => find(flag) !== undefined,
    model: model === null ? null : { value: model.flag, origin: originOf(model, launch) },
  };
}

/** An entry that is there only where the value is. */
export const entry = (key: string, value: YamlMap[string]): YamlMap => (value === undefined ? {} : { [key]: value });
