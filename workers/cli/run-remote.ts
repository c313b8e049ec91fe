import { createTRPCUntypedClient, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { z } from 'zod';
import { findingSchema } from '@/server/core/plan/finding';
import { type Report, reportSchema } from '@/server/core/run/report';
import { experimentStateSchema } from '@/server/core/run/stream';
import { trialStateSchema } from '@/server/core/run/trial';
import { formatFinding } from './pipeline-file';
import { ExitError } from './verb';

const POLL_MS = 2000;

const startedSchema = z.discriminatedUnion('started', [
  z.object({ started: z.literal(true), id: z.string() }),
  z.object({ started: z.literal(false), findings: z.array(findingSchema) }),
]);
const followedSchema = z.object({
  state: experimentStateSchema,
  trials: z.array(z.object({ state: trialStateSchema, superseded: z.boolean() })),
  report: reportSchema.nullable(),
});

export interface RemoteRun {
  serverUrl: string;
  apiKey: string;
  name: string;
  document: unknown;
  blocks: number | null;
  seed: number;
  deployments: string[] | null;
  maxMs: number | null;
}

/** Stores the pipeline on a server, starts an experiment on it and follows it to its end. Ctrl-C cancels it there. */
export async function runOnServer(run: RemoteRun): Promise<Report> {
  const client = createTRPCUntypedClient({
    links: [
      httpLink({
        url: new URL('/api/trpc', run.serverUrl).href,
        headers: { authorization: `Bearer ${run.apiKey}` },
        transformer: superjson,
      }),
    ],
  });
  const ask = async <T>(schema: z.ZodType<T>, call: Promise<unknown>): Promise<T> =>
    schema.parse(await call.catch(refuse));
  const pipeline = await ask(
    z.object({ id: z.string() }),
    client.mutation('pipelines.create', { name: run.name.slice(0, 100), document: run.document }),
  );
  const { blocks, seed, deployments } = run;
  const started = await ask(
    startedSchema,
    client.mutation('experiments.start', { pipelineId: pipeline.id, blocks, seed, deployments }),
  );
  if (!started.started) {
    for (const finding of started.findings) process.stderr.write(`${formatFinding(finding)}\n`);
    throw new ExitError(1, 'the server refuses to run this pipeline');
  }
  process.stderr.write(`running as ${new URL(`/experiments/${started.id}`, run.serverUrl).href}\n`);
  const cancel = (): void => {
    void client.mutation('experiments.cancel', { id: started.id }).catch(() => {});
  };
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const timer = run.maxMs === null ? null : setTimeout(cancel, run.maxMs);
  try {
    return await follow(() => ask(followedSchema, client.query('experiments.get', { id: started.id })));
  } finally {
    if (timer !== null) clearTimeout(timer);
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
}

async function follow(look: () => Promise<z.infer<typeof followedSchema>>): Promise<Report> {
  for (let told = ''; ; ) {
    const { state, trials, report } = await look();
    const counted = trials.filter((t) => !t.superseded);
    const ended = counted.filter((t) => ['succeeded', 'failed', 'cancelled', 'lost'].includes(t.state)).length;
    const line = `${state}: ${ended} of ${counted.length} trials`;
    if (line !== told) process.stderr.write(`${line}\n`);
    told = line;
    if (state !== 'queued' && state !== 'running') {
      if (report === null) throw new ExitError(1, `the experiment ended ${state} without a report`);
      return report;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function refuse(error: unknown): never {
  if (error instanceof TRPCClientError) throw new ExitError(1, `the server says: ${error.message}`);
  throw error;
}
