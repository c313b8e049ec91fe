import { hashOf } from '../../plan/canonical';
import type { Checkpoint } from '../../plan/plan';

/** One run of one tool: weights in, weights out. */
export interface RecipeJob {
  tool: string;
  /** Type that it makes (`w4a16`, `Q4_K_M`); null for a step that prunes and keeps the numbers. */
  toType: string | null;
  options: Readonly<Record<string, string | number>>;
  /** Repository, or the folder of the job before. */
  from: string;
  revision: string | null;
  /** Folder or file, named by the hash of all that it is made of. */
  out: string;
  /** Name under which the server looks for it; null for a step in between. */
  link: string | null;
}

const addressOf = (parts: unknown): string => hashOf(parts).slice(0, 16);

/** Jobs of a checkpoint in order: those that come first, then its own. Each starts from what the one before made. */
export function recipeJobs(checkpoint: Checkpoint): RecipeJob[] {
  const { recipe, repo, revision, format, fileName } = checkpoint;
  if (recipe === null) return [];
  const before = (recipe.before ?? []).map((step) => ({ ...step, toType: null }));
  const last = { tool: recipe.tool, options: recipe.options ?? {}, toType: recipe.toType };
  let from = repo;
  let fromRevision = revision;
  return [...before, last].map((step, i, all) => {
    const address = addressOf({ from, revision: fromRevision, step, format: step.toType === null ? null : format });
    const isLast = i === all.length - 1;
    const out = `weights/${address}${isLast && format.startsWith('gguf:') ? '.gguf' : ''}`;
    const job = { ...step, from, revision: fromRevision, out, link: isLast ? fileName : null };
    from = out;
    fromRevision = null;
    return job;
  });
}

/** A job as a file, or why there is none. */
export type WrittenJob = { file: string; content: string } | { unsupported: string; source: string };

export const optionOf = (job: RecipeJob, name: string, otherwise: number): number => {
  const value = job.options[name];
  return typeof value === 'number' ? value : otherwise;
};
