import type { Dialect } from './dialects/dialect';
import type { Invocation } from './importer';
import { type ModelIntent, modelOfGgufFile, modelOfGgufRepository, modelOfRepository } from './model-intent';
import type { Reading } from './reading';

export interface Models {
  target: ModelIntent | null;
  draft: ModelIntent | null;
}

function targetRepository(reading: Reading, { model }: Dialect): ModelIntent | null {
  const flag = model.flags.find((name) => reading.peek(name) !== null);
  const named = flag === undefined ? null : (reading.take(flag)?.value ?? null);
  const name = named ?? (model.positional ? reading.takePositional() : null);
  if (name === null) return null;
  const revision = model.revision === null ? null : reading.value(model.revision);
  const intent = modelOfRepository(name, revision, reading);
  if (intent.params.revision !== undefined && model.revision !== null) reading.take(model.revision);
  return intent;
}

function targetFile(reading: Reading, preparation: Invocation['preparation']): ModelIntent | null {
  const file = reading.value('--model');
  const repo = reading.value('--hf-repo');
  const url = reading.value('--model-url');
  if (repo !== null) {
    const picked = reading.take('--hf-file')?.value ?? null;
    const intent = modelOfGgufRepository(repo, picked, reading, 'model');
    reading.take('--hf-repo');
    if (file !== null)
      reading.drop('--model', 'weights-twice', 'a repository is named beside the file; the repository counts.');
    return intent;
  }
  if (file !== null) {
    reading.take('--model');
    return modelOfGgufFile(file, preparation, reading, 'model');
  }
  if (url === null) return null;
  const name = url.split(/[?#]/, 1)[0]?.split('/').pop() ?? url;
  const intent = modelOfGgufFile(name, [], reading, 'model');
  reading.drop('--model-url', 'weights-by-hand', `put ${name} on the worker: no node downloads from an address.`);
  return intent;
}

/** Draft of llama.cpp; its marks are taken by what lowers to them. */
function draftFile(reading: Reading, preparation: Invocation['preparation']): ModelIntent | null {
  const file = reading.peek('--spec-draft-model') ?? reading.peek('--model-draft');
  const repo = reading.value('--spec-draft-hf');
  if (file?.value) return modelOfGgufFile(file.value, preparation, reading, 'draft');
  if (repo === null) return null;
  return modelOfGgufRepository(repo, null, reading, 'draft');
}

/** Marks that name the draft, which are its node's now. */
export const takeDraftFile = (reading: Reading): void => {
  for (const name of ['--spec-draft-model', '--model-draft', '--spec-draft-hf']) reading.take(name);
};

/** The models that a start names. The draft's marks stay open until a node takes the speculation. */
export function readModels(reading: Reading, dialect: Dialect, { preparation }: Invocation): Models {
  if (dialect.model.files === 'gguf') {
    return { target: targetFile(reading, preparation), draft: draftFile(reading, preparation) };
  }
  const named = dialect.draft?.(reading) ?? null;
  const draft = named === null ? null : modelOfRepository(named.name, named.revision, reading, 'draft');
  return { target: targetRepository(reading, dialect), draft };
}
