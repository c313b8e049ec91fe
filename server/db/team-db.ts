import { systemDb } from './client';

/** Tables without a team: users and sessions belong to people, the team row is the scope itself. */
const UNSCOPED = new Set(['User', 'Session', 'Account', 'Verification', 'Team']);

type Args = { where?: Record<string, unknown>; data?: unknown; create?: unknown };

function assertTeam(teamId: string, data: unknown): void {
  for (const row of Array.isArray(data) ? data : [data]) {
    const given = (row as { teamId?: unknown }).teamId;
    if (given !== teamId)
      throw new Error(`A row of team ${String(given)} was to be written in the scope of ${teamId}.`);
  }
}

/** Adds the team to a query: reads and changes see its rows only, and new rows must be its own. */
function scope(teamId: string, operation: string, args: Args): Args {
  if (operation.startsWith('create')) {
    assertTeam(teamId, args.data);
    return args;
  }
  if (operation === 'upsert') assertTeam(teamId, args.create);
  return { ...args, where: { ...args.where, teamId } };
}

/**
 * The database as one team sees it. Composite foreign keys (teamId, id) make a cross-team row impossible; this makes
 * a cross-team read impossible. Raw statements (db/sql) take the team as their first argument.
 */
export function teamDb(teamId: string) {
  return systemDb().$extends({
    name: 'team',
    client: { teamId },
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          if (UNSCOPED.has(model)) return query(args);
          return query(scope(teamId, operation, args as Args) as typeof args);
        },
      },
    },
  });
}

export type TeamDb = ReturnType<typeof teamDb>;
/** A team's database inside a transaction. */
export type TeamTx = Omit<TeamDb, '$connect' | '$disconnect' | '$on' | '$transaction' | '$use' | '$extends'>;
