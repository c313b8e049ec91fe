import { type Finding, finding } from '../../plan/finding';
import type { Checkpoint, Plan } from '../../plan/plan';

/** Weights that must be made first: the form "quantization-recipe" writes the job, this file only names its result. */
export const recipeNotes = (plan: Plan, which: (checkpoint: Checkpoint) => boolean = () => true): Finding[] =>
  plan.checkpoints
    .filter((checkpoint) => checkpoint.recipe !== null && which(checkpoint))
    .map(({ fileName, format, scope, recipe, nodeId }) => {
      const of = scope === 'target' ? '' : ` of the ${scope}`;
      const message = `The ${format} weights${of} are expected in ${fileName}: ${recipe?.tool ?? ''} makes them, see the export "Quantization recipe".`;
      return finding('info', 'weights-by-recipe', message, { nodeId });
    });

/** Recipes that a script of llama.cpp does not hold itself: those that prune first. */
export const prunesFirst = ({ recipe }: Checkpoint): boolean => (recipe?.before?.length ?? 0) > 0;
