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
/** How long a server may be away while its experiment is followed. */
const AWAY_MS = 5 * 60_000;

const startedSchema = z.discriminatedUnion('started', [
  z.object({ started: z.literal(true), experimentId: z.string() }),
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
  if (!URL.canParse(run.serverUrl)) throw new ExitError(2, `--server ${run.serverUrl} is not a URL`);
  const at = (path: string): string => new URL(path, run.serverUrl).href;
  const client = createTRPCUntypedClient({
    links: [
      httpLink({
        url: at('/api/trpc'),
        headers: { authorization: `Bearer ${run.apiKey}` },
        transformer: superjson,
      }),
    ],
  });
  const ask = async <T>(schema: z.ZodType<T>, call: Promise<unknown>): Promise<T> =>
    understand(schema, await call.catch((error: unknown) => refuse(error, run.serverUrl)));
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
  const { experimentId: id } = started;
  process.stderr.write(`running as ${at(`/experiments/${id}`)}\n`);
  const cancel = (): void => {
    void client.mutation('experiments.cancel', { id }).catch(() => {});
  };
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const timer = run.maxMs === null ? null : setTimeout(cancel, run.maxMs);
  try {
    return await follow(async () => {
      const answer = await whileAway(() => client.query('experiments.get', { id }), run.serverUrl);
      return understand(followedSchema, answer);
    });
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

/** Asks again while the server cannot be reached: it goes on with the experiment when it is back. */
async function whileAway(call: () => Promise<unknown>, serverUrl: string): Promise<unknown> {
  for (const since = performance.now(); ; ) {
    try {
      return await call();
    } catch (error) {
      const answered = !(error instanceof TRPCClientError) || error.data;
      if (answered || performance.now() - since > AWAY_MS) return refuse(error, serverUrl);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function understand<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const what = `${issue?.path.join('.')}: ${issue?.message}`;
  throw new ExitError(1, `the server's answer is not understood (${what}). Install the same release on both.`);
}

/** A TRPCClientError with data was answered by the server; one without was not. */
function refuse(error: unknown, serverUrl: string): never {
  if (!(error instanceof TRPCClientError)) throw error;
  throw new ExitError(
    1,
    error.data ? `the server says: ${error.message}` : `${serverUrl} does not answer: ${error.message}`,
  );
}
