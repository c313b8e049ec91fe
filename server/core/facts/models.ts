import { z } from 'zod';
import { MODEL_ALIASES } from './model-aliases';
import { type ModelFacts, modelFactsSchema } from './model-facts';
import table from './models.json';
import { nearestNames } from './nearest';

export const MODELS: readonly ModelFacts[] = z.array(modelFactsSchema).parse(table.models);

const key = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');

const BY_NAME: ReadonlyMap<string, ModelFacts> = new Map(
  MODELS.flatMap((facts) =>
    [...(MODEL_ALIASES[facts.id] ?? []), facts.repo, facts.id].map((name): [string, ModelFacts] => [key(name), facts]),
  ),
);

/** The model of that id, repository or alias, in any case; null where the table has none. */
export const findModel = (name: string): ModelFacts | null => BY_NAME.get(key(name)) ?? null;

/** Ids of the table that a name which was not found may mean, nearest first. */
export const nearestModels = (name: string): string[] =>
  nearestNames(
    name.split('/').pop() ?? name,
    MODELS.map((facts) => facts.id),
  );
