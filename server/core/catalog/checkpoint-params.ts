import { z } from 'zod';
import type { CheckpointRequest } from './node-type';
import { param } from './param';
import { RECIPE_TOOLS, type RecipeTool, type RecipeToolId } from './recipe-tools';

type Source = CheckpointRequest['source'];

const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  checkpoint: 'checkpoint: a repository that holds it already',
  online: 'online: the engine converts the weights while it loads them',
  recipe: 'recipe: made beforehand by the tool below, exported as a job',
};

/** Where the weights of a format come from; the first source is the default. */
export const sourceParam = <const S extends readonly [Source, ...Source[]]>(sources: S) =>
  param(z.enum(sources).default(sources[0] as never), {
    label: 'Weights',
    unit: null,
    description: `${sources.map((source) => SOURCE_WORDS[source]).join('; ')}.`,
    kind: 'launch',
  });

/** The tool of a recipe; the first one is the default. `absent`: why a tool that one may look for is not among them. */
export const toolParam = <const T extends readonly [RecipeToolId, ...RecipeToolId[]]>(tools: T, absent?: string) =>
  param(z.enum(tools).default(tools[0] as never), {
    label: 'Tool',
    unit: null,
    description: `For a recipe: what makes the checkpoint.${absent === undefined ? '' : ` ${absent}`}`,
    kind: 'launch',
  });

export const repoParam = () =>
  param(z.string().min(1).nullable().default(null), {
    label: 'Repository',
    unit: null,
    description: 'For a checkpoint: where it is; empty takes the one known for the model.',
    kind: 'launch',
    control: 'text',
  });

/** Weights that share one scale. */
export const groupSizeParam = () =>
  param(z.number().int().min(16).max(1024).default(128), {
    label: 'Group size',
    unit: 'weights',
    description:
      'For a recipe: weights that share one scale. Smaller is closer to the original and larger in memory; a group may not straddle two devices: (MLP width ÷ devices) must be its multiple.',
    kind: 'launch',
    sweep: [32, 64, 128],
  });

export const calibrationParam = () =>
  param(z.number().int().min(1).max(100_000).default(512), {
    label: 'Calibration samples',
    unit: 'samples',
    description: 'For a recipe: texts that are run through the model to set the scales.',
    kind: 'launch',
    sweep: [128, 512, 1024],
  });

/** Names of parameters that only a recipe or only a checkpoint reads, where another source is chosen. */
export function idleFor<const F extends string>(source: Source, recipeOnly: readonly F[]): (F | 'repo')[] {
  return [...(source === 'recipe' ? [] : recipeOnly), ...(source === 'checkpoint' ? [] : (['repo'] as const))];
}

interface RequestInput {
  source: Source;
  repo: string | null;
  tool?: RecipeToolId;
  knownAs: readonly string[];
  knownMatching?: RegExp;
  options?: Readonly<Record<string, string | number>>;
}

/** What a node asks of its checkpoint: known repositories for a checkpoint, tool and options for a recipe. */
export function checkpointRequest(input: RequestInput): CheckpointRequest {
  const { source, repo, tool = null, knownAs, knownMatching, options } = input;
  return {
    source,
    tool: source === 'recipe' ? tool : null,
    repo: source === 'checkpoint' ? repo : null,
    knownAs,
    ...(knownMatching && { knownMatching }),
    ...(source === 'recipe' && options && { options }),
  };
}

/** A recipe whose tool does not write the scheme. */
export function toolFaults(p: { source: Source; tool: RecipeToolId }, scheme: RecipeTool['makes'][number]) {
  const { title, makes }: RecipeTool = RECIPE_TOOLS[p.tool];
  if (p.source !== 'recipe' || makes.includes(scheme)) return [];
  return [{ field: 'tool' as const, message: `${title} is not known to write ${scheme}; choose another tool.` }];
}
