import { NAME_CHARACTERS, NAME_WIDTH, shorten } from './axis';

interface TickProps {
  x?: number | string;
  y?: number | string;
  payload?: { value: number | string };
}

/** Names of the rows at the left of a chart, one an index; `notes` stand where a row has no bar. */
export function rowNames(labels: readonly string[], notes: readonly (string | null)[] = []) {
  return ({ y, payload }: TickProps) => {
    const index = Number(payload?.value);
    const label = labels[index] ?? '';
    const note = notes[index];
    return (
      <g>
        <text x={0} y={y} dy={4} fontSize={12} fill="var(--ink)" textAnchor="start">
          {shorten(label, NAME_CHARACTERS)}
          <title>{label}</title>
        </text>
        {note ? (
          <text x={NAME_WIDTH + 10} y={y} dy={4} fontSize={11} fill="var(--faint)" textAnchor="start">
            {shorten(note, 60)}
            <title>{note}</title>
          </text>
        ) : null}
      </g>
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
