import { ExternalLink } from 'lucide-react';
import type { ApiOutputs } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';

interface TemplateCardProps {
  example: ApiOutputs['pipelines']['examples'][number];
  disabled: boolean;
  onUse: () => void;
}

const named = (example: TemplateCardProps['example'], type: string, field: string): string[] => [
  ...new Set(
    example.document.nodes.flatMap((node) => {
      const value = node.type === type ? node.params[field] : undefined;
      return typeof value === 'string' ? [value] : [];
    }),
  ),
];

/** One template: what it compares, why, and what others saw. */
export function TemplateCard({ example, disabled, onUse }: TemplateCardProps) {
  const { title, summary, why, expected } = example;
  const facts = [
    ...named(example, 'engine', 'engine'),
    ...named(example, 'hardware', 'device'),
    ...named(example, 'model', 'model'),
    ...named(example, 'deployment', 'name'),
  ];
  return (
    <li className="flex flex-col gap-2 rounded-md border bg-panel p-3">
      <h2 className="text-base">{title}</h2>
      <p className="text-dim">{summary}</p>
      <p>{why}</p>
      {expected.length > 0 ? (
        <section className="grid gap-1">
          <h3 className="text-xs text-faint">What others measured</h3>
          <ul className="grid gap-1.5">
            {expected.map(({ text, source }) => (
              <li key={text} className="grid text-dim">
                {text}
                <a
                  href={source.url}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex min-w-0 items-center gap-1 text-xs text-accent underline-offset-2 hover:underline"
                >
                  <ExternalLink aria-hidden className="size-3 shrink-0" />
                  <span className="min-w-0 break-words">{source.label}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <div className="mt-auto flex flex-wrap items-end gap-2 pt-1">
        <p className="mono mr-auto min-w-0 text-xs break-words text-faint">{facts.join(' · ')}</p>
        <Button aria-label={`Start from ${title}`} disabled={disabled} onClick={onUse}>
          Use this
        </Button>
      </div>
    </li>
  );
}
