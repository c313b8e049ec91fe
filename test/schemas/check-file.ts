import Ajv, { type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { composeFile } from './compose';
import { modelserviceValues, productionStackValues, serveConfig, skyTask } from './files';
import type { Schema } from './json-schema';
import { CORE_KINDS } from './kubernetes';
import { OPERATOR_KINDS } from './operators';

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
const compiled = new Map<Schema, ValidateFunction>();

/** What a schema says against data, one line a fault. */
export function faultsOf(schema: Schema, data: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(data)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`;
  });
}

/** Files that are no Kubernetes objects, by exporter and name. */
const FILES: Readonly<Record<string, Schema>> = {
  'docker-compose/compose.yaml': composeFile,
  'vllm-production-stack/values.yaml': productionStackValues,
  'llm-d/values.yaml': modelserviceValues,
  'skypilot/sky.yaml': skyTask,
  'ray-serve/serve.yaml': serveConfig,
};

const kindOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'kind' in data ? String(data.kind) : 'no kind';

/** The documents of a YAML file; fails where a reader of YAML 1.1 sees something else than one of 1.2. */
export function documentsOf(content: string): unknown[] {
  const [older = [], newer = []] = (['1.1', '1.2'] as const).map((version) => {
    const documents = parseAllDocuments(content, { version });
    if (!Array.isArray(documents)) throw new Error('no document');
    const errors = documents.flatMap((document) => document.errors);
    if (errors.length > 0) throw new Error(`YAML ${version}: ${errors.map(({ message }) => message).join('; ')}`);
    return documents.map((document) => document.toJS() as unknown);
  });
  if (JSON.stringify(older) !== JSON.stringify(newer)) throw new Error('YAML 1.1 reads the file otherwise than 1.2');
  return newer;
}

/** What the schemas say against one document of an exported file; an object of unknown kind is a fault. */
export function checkDocument(exporter: string, path: string, data: unknown): string[] {
  const kind = kindOf(data);
  const schema = FILES[`${exporter}/${path}`] ?? CORE_KINDS[kind] ?? OPERATOR_KINDS[kind];
  if (schema === undefined) return [`${path}: no schema for ${kind}`];
  return faultsOf(schema, data).map((fault) => `${path}: ${kind}: ${fault}`);
}

/** The same for a whole file. */
export const checkFile = (exporter: string, { path, content }: { path: string; content: string }): string[] =>
  documentsOf(content).flatMap((data) => checkDocument(exporter, path, data));
