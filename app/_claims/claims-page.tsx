import { ExternalLink } from 'lucide-react';
import { Badge, type BadgeTone } from '@/app/_ui/badge';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { CLAIMS, type Claim, type ClaimStanding } from '@/server/core/facts/claims';

const STANDINGS: Readonly<Record<ClaimStanding, { label: string; tone: BadgeTone }>> = {
  holds: { label: 'holds', tone: 'ok' },
  'under-conditions': { label: 'under conditions', tone: 'warn' },
  overstated: { label: 'overstated', tone: 'error' },
  arithmetic: { label: 'arithmetic only', tone: 'neutral' },
};

/** What is often said of a technique, beside what was measured. On a phone each claim is a card of its own. */
export function ClaimsPage() {
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5">
      <div className="grid gap-1">
        <h1 className="text-title">Claims</h1>
        <p className="max-w-prose text-dim">
          What is often said of optimizations, beside what others measured and where. No number here is ours: your own
          runs decide.
        </p>
      </div>
      <div className="hidden lg:block">
        <Table label="Claims and measurements">
          <Thead>
            <Tr>
              <Th className="w-64">Claim</Th>
              <Th>Measured</Th>
              <Th className="w-28">Our estimate</Th>
              <Th className="w-80">What to make of it</Th>
            </Tr>
          </Thead>
          <Tbody>
            {CLAIMS.map((claim) => (
              <Tr key={claim.id} id={claim.id}>
                <Td className="align-top">
                  <ClaimHead claim={claim} />
                </Td>
                <Td className="align-top">
                  <Measured claim={claim} />
                </Td>
                <Td className="align-top">
                  <Estimate />
                </Td>
                <Td className="align-top text-dim">{claim.note}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
      <div className="grid gap-3 lg:hidden">
        {CLAIMS.map((claim) => (
          <ClaimCard key={claim.id} claim={claim} />
        ))}
      </div>
    </div>
  );
}

function ClaimCard({ claim }: { claim: Claim }) {
  return (
    <article className="grid gap-3 rounded-md border bg-panel p-3">
      <ClaimHead claim={claim} />
      <section className="grid gap-1">
        <h3 className="text-xs text-faint">Measured</h3>
        <Measured claim={claim} />
      </section>
      <section className="grid gap-1">
        <h3 className="text-xs text-faint">Our estimate</h3>
        <Estimate />
      </section>
      <p className="text-dim">{claim.note}</p>
    </article>
  );
}

/** The claim, where it stands, who says it and which nodes it is about. */
function ClaimHead({ claim }: { claim: Claim }) {
  const { label, tone } = STANDINGS[claim.standing];
  const titles = claim.techniques.map((type) => findNodeType(type)?.title ?? type);
  return (
    <div className="grid justify-items-start gap-1.5">
      <h2 className="text-sm font-medium">{claim.claim}</h2>
      <Badge tone={tone}>{label}</Badge>
      <p className="text-xs text-faint">{titles.join(' · ')}</p>
      <p className="flex flex-wrap gap-x-2 text-xs text-faint">
        said by
        {claim.saidBy.map((source) => (
          <SourceLink key={source.url} {...source} />
        ))}
      </p>
    </div>
  );
}

function Measured({ claim }: { claim: Claim }) {
  if (claim.measured.length === 0) return <p className="text-dim">Nobody published a comparable measurement.</p>;
  return (
    <ul className="grid gap-1.5">
      {claim.measured.map(({ text, source }) => (
        <li key={text} className="grid">
          {text}
          <SourceLink {...source} />
        </li>
      ))}
    </ul>
  );
}

/** The estimator is not part of this version; the column stays honest until it is. */
const Estimate = () => <p className="text-dim">Not estimated yet</p>;

function SourceLink({ label, url }: { label: string; url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-w-0 items-center gap-1 text-xs text-accent underline-offset-2 hover:underline"
    >
      <ExternalLink aria-hidden className="size-3 shrink-0" />
      <span className="min-w-0 break-words">{label}</span>
    </a>
  );
}
