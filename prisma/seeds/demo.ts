import { listExamples } from '@/server/services/examples';
import { createPipeline } from '@/server/services/pipelines';
import { teamScope } from '@/server/services/scope';

/** Seed `demo`: the pipelines to start from, for a team that never had one. Returns how many were made. */
export async function seedDemo(teamId: string): Promise<number> {
  const scope = teamScope(teamId, { kind: 'system', id: null, name: 'Inferloom' });
  if ((await scope.db.pipeline.count()) > 0) return 0;
  const examples = listExamples();
  for (const { title, document } of examples) await createPipeline(scope, { name: title, document });
  return examples.length;
}
