import { type FlagTable, findFlag } from '../engines/flag';
import type { Dialect } from './dialects/dialect';
import type { Invocation } from './importer';
import { withNumbers } from './keyword-words';
import { configMark } from './mark';
import { readYaml, recordOf } from './read-yaml';
import type { Reading } from './reading';
import { leafText, leavesOf } from './recover/literal';

const lastPart = (path: string): string => path.split('/').pop() ?? path;

/** The file that a flag names, where the text holds it too: under that path, that name, or the only one without a name. */
function fileOf(path: string, files: Invocation['files']): string | null {
  const exact = files.get(path);
  if (exact !== undefined) return exact;
  const named = [...files].filter(([name]) => lastPart(name) === lastPart(path));
  const [only, ...others] = named.length > 0 ? named : [...files].filter(([name]) => name === '');
  return only === undefined || others.length > 0 ? null : only[1];
}

function readEntries(reading: Reading, content: string, table: FlagTable): void {
  const { documents, findings } = readYaml(content);
  reading.findings.push(...findings);
  for (const [name, value] of leavesOf(recordOf(documents[0]))) {
    const leaf = Array.isArray(value) ? withNumbers(value) : value;
    if (name !== '') reading.add(configMark(name, leafText(leaf), findFlag(table, name)));
  }
}

/** Reads the engine's configuration file, entry by entry. One that the text does not hold is said to be missing. */
export function readConfigFile(reading: Reading, dialect: Dialect, { files }: Invocation, table: FlagTable): void {
  for (const flag of dialect.configFlags) {
    const path = reading.value(flag);
    if (path === null) continue;
    const content = fileOf(path, files);
    if (content === null) {
      const message = 'the text does not hold that file: paste it along, as a heredoc (cat > FILE <<EOF) say.';
      reading.drop(flag, 'config-not-given', message);
      continue;
    }
    reading.take(flag);
    readEntries(reading, content, table);
  }
  const { configName } = dialect;
  if (configName === undefined) return;
  for (const [path, content] of files) if (configName.test(lastPart(path))) readEntries(reading, content, table);
}
