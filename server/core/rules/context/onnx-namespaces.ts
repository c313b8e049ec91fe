import type { ContextValue } from '../constraints/expression';
import type { RuleContext } from '../rule';
import type { Fields } from './arguments';
import { contextValue, type Namespaces, put } from './namespaces';

function optionValue(text: string): ContextValue {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/** `--extra_options key=value …` of the model builder. */
function putExtraOptions(into: Namespaces, text: string): void {
  for (const pair of text.split(/\s+/)) {
    const [name = '', value = ''] = pair.split('=');
    if (name !== '') put(into, 'extra', name, optionValue(value));
  }
}

/** Part of genai_config.json → namespace. */
const NAMESPACE_OF: readonly (readonly [RegExp, string])[] = [
  [/^extra_options\./, 'extra'],
  [/^search\./, 'search'],
  [/sliding_window/, 'sliding_window'],
  [/provider_options/, 'provider'],
];

/** ONNX Runtime GenAI: options of the builder, and genai_config.json. */
export function onnxNamespaces({ component }: RuleContext, arg: Fields): Namespaces {
  const into: Namespaces = { arg: {} };
  for (const { flag, value } of component.args) {
    if (flag === '--extra_options' && value !== null) putExtraOptions(into, value);
  }
  for (const { path, value } of component.config) {
    const namespace = NAMESPACE_OF.find(([pattern]) => pattern.test(path))?.[1];
    if (namespace !== undefined) put(into, namespace, path.split('.').at(-1) ?? path, contextValue(value));
    if (path.startsWith('engine.')) put(into, 'engine', 'on', true);
  }
  if (arg.execution_provider !== undefined) put(into, 'build', 'ep', arg.execution_provider);
  if (arg.precision !== undefined) put(into, 'build', 'precision', arg.precision);
  return into;
}
