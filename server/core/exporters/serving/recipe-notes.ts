import { type Finding, finding } from '../../plan/finding';
import type { Plan } from '../../plan/plan';

/** Weights that must be made first: the form "quantization-recipe" writes the job, this file only names its result. */
export const recipeNotes = (plan: Plan): Finding[] =>
  plan.checkpoints
    .filter(({ recipe }) => recipe !== null)
    .map(({ fileName, format, scope, recipe, nodeId }) => {
      const of = scope === 'target' ? '' : ` of the ${scope}`;
      const message = `The ${format} weights${of} are expected in ${fileName}: ${recipe?.tool ?? ''} makes them, see the export "Quantization recipe".`;
      return finding('info', 'weights-by-recipe', message, { nodeId });
    });
