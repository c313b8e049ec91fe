import { shorten } from './axis';

interface TickProps {
  x?: number | string;
  y?: number | string;
  payload?: { value: number | string };
}

/** Names of the rows at the left of a chart, one an index. */
export function rowNames(labels: readonly string[], characters: number) {
  return ({ y, payload }: TickProps) => {
    const label = labels[Number(payload?.value)] ?? '';
    return (
      <text x={0} y={y} dy={4} fontSize={12} fill="var(--ink)" textAnchor="start">
        {shorten(label, characters)}
        <title>{label}</title>
      </text>
    );
  };
}

/** Figures of the rows at the right of a chart, aligned with one another. */
export function rowFigures(texts: readonly { text: string; title: string | null; dim: boolean }[], right: number) {
  return ({ x, y, payload }: TickProps) => {
    const figure = texts[Number(payload?.value)];
    return (
      <text
        x={Number(x) + right}
        y={y}
        dy={4}
        fontSize={12}
        textAnchor="end"
        fill={figure?.dim ? 'var(--faint)' : 'var(--ink)'}
        className="mono"
      >
        {figure?.text ?? ''}
        {figure?.title ? <title>{figure.title}</title> : null}
      </text>
    );
  };
}
