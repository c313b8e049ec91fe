import type { TeamTx } from '../team-db';

/** Locks a pipeline's row, so that what is numbered under it is numbered one after the other. */
export async function lockPipeline(tx: TeamTx, teamId: string, pipelineId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM "pipeline" WHERE "teamId" = ${teamId}::uuid AND "id" = ${pipelineId}::uuid FOR UPDATE`;
}
