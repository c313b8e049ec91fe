import { SETTING_NAMES, settingSchemas } from '../../plan/settings';
import { type Key, type Site, tryLowering, type Values } from './lowering-trial';
import { choicesOf } from './probe-values';

/**
 * Settings without a trace of their own that another one's argument fixes: the one value under which the engine says
 * "carried by" a setting that is there. A shortest match that stands for the longest too, say.
 */
export function recoverCarried(site: Site, values: Values): Map<Key, unknown> {
  const found = new Map<Key, unknown>();
  const numbers = [...new Set(values.values())].filter((value) => typeof value === 'number');
  for (const name of SETTING_NAMES) {
    if (values.has(name)) continue;
    const valid = (choicesOf(name) ?? numbers).filter((value) => settingSchemas[name].safeParse(value).success);
    const fitting = valid.filter((value) => {
      const { carriedBy } = tryLowering(site, name, value, new Map([...values, [name, value]]));
      return carriedBy !== null && values.has(carriedBy);
    });
    if (fitting.length === 1) found.set(name, fitting[0]);
  }
  return found;
}
