'use client';

import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes, formatFixed, formatNumber } from '@/app/_ui/format';
import { Term } from '@/app/_ui/term';
import { attentionOf } from '@/server/core/facts/attention-kind';
import { type ModelFacts as Facts, partOf } from '@/server/core/facts/model-facts';
import type { PipelineNode } from '@/server/core/pipeline/document';

/** Facts that the node brings itself, else the table's; the table loads when the first model is looked at. */
async function loadFacts(name: string, own: unknown): Promise<Facts | null> {
  const { completeOwnModel, ownModelSchema } = await import('@/server/core/facts/own-model');
  const parsed = ownModelSchema.safeParse(own);
  if (parsed.success) return completeOwnModel(name, parsed.data);
  const { findModel } = await import('@/server/core/facts/models');
  return findModel(name);
}

const useModelFacts = (name: string | null, own: unknown) =>
  useQuery({
    queryKey: ['model-facts', name, own ?? null],
    queryFn: () => (name === null ? null : loadFacts(name, own)),
    enabled: name !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Name of the model that a node stands for: a model node's, a student's. */
const nameOf = (node: PipelineNode): string | null => {
  const name = node.params.model ?? (node.type === 'model' ? 'inferloom-demo' : null);
  return typeof name === 'string' ? name : null;
};

/** What the table knows of the model: size, attention, cache, and which checkpoints and drafts exist. */
export function ModelFacts({ node }: { node: PipelineNode }) {
  const facts = useModelFacts(nameOf(node), node.params.facts).data;
  if (!facts) return null;
  const attention = attentionOf(facts);
  const window = partOf(facts.window);
  const experts = partOf(facts.experts);
  return (
    <section aria-label="What is known of this model" className="grid grid-cols-[minmax(0,1fr)] gap-2 text-xs">
      <dl className="grid gap-0.5">
        <Fact name="Parameters">
          {billions(facts.paramsTotal)}
          {facts.architecture === 'moe' ? `, ${billions(facts.paramsActive)} active` : ''}
        </Fact>
        <Fact name="Layers">{facts.layers}</Fact>
        {attention ? (
          <Fact name={<Term name="Attention" />}>
            {attention.kind}
            {attention.kind === 'MHA' ? '' : `, cache ÷ ${formatNumber(attention.cacheFactor)}`}
          </Fact>
        ) : null}
        <Fact name={<Term name="Cache a token" />}>{formatBytes(facts.kvBytesPerTokenBf16)}</Fact>
        {window ? (
          <Fact name={<Term name="Window" />}>{`${window.tokens} tokens in ${window.slidingLayers} layers`}</Fact>
        ) : null}
        {experts ? <Fact name={<Term name="Experts" />}>{`${experts.perToken} of ${experts.total}`}</Fact> : null}
        <Fact name="Longest sequence">{formatFixed(facts.maxTokens, 0)}</Fact>
        <Fact name={<Term name="MTP layers" />}>{formatFixed(facts.mtpLayers, 0)}</Fact>
      </dl>
      {attention ? <p className="text-dim">{attention.advice}</p> : null}
      <Repositories title="Checkpoints" repos={Object.values(facts.quantizedRepos).flat()} />
      <Repositories title="Drafts and heads" repos={[...facts.draftModels, ...facts.speculators]} />
    </section>
  );
}

const billions = (count: number | null): string => (count === null ? '–' : `${formatNumber(count / 1e9)} B`);

const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="flex justify-between gap-3">
    <dt className="text-faint">{name}</dt>
    <dd className="mono text-right">{children}</dd>
  </div>
);

/** Only names of the form owner/name lead anywhere. */
function Repositories({ title, repos }: { title: string; repos: readonly string[] }) {
  const known = [...new Set(repos)].filter((repo) => /^[\w.-]+\/[\w.-]+/.test(repo));
  if (known.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer text-faint">
        {title} <span className="mono">{known.length}</span>
      </summary>
      <ul className="mt-1 grid gap-0.5">
        {known.map((repo) => (
          <li key={repo}>
            <a
              href={`https://huggingface.co/${repo.split(' ')[0]}`}
              target="_blank"
              rel="noreferrer"
              className="flex items-center gap-1 text-accent underline-offset-2 hover:underline"
            >
              <ExternalLink aria-hidden className="size-3 shrink-0" />
              <span className="mono min-w-0 break-all">{repo}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
