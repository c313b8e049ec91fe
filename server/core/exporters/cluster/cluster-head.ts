import type { Plan } from '../../plan/plan';
import { requestLines } from '../comment';
import type { Evidence } from '../evidence';
import { headLines } from '../head';
import { type ComponentLaunch, planOfComponent } from './launches';

/** Configuration entries with their origin, since the file that the engine reads cannot always carry comments. */
const configLines = ({ component }: ComponentLaunch): string[] =>
  component.config.map(({ path, setting, scope, nodeId, note }) => {
    const name = setting === null ? '' : `${scope === 'target' ? '' : `${scope}.`}${setting}, `;
    const asker = nodeId === null ? 'needed by the workload' : `node ${nodeId}`;
    return `${path}: ${name}${asker}${note === null ? '' : `: ${note}`}`;
  });

/** Settings inside another one's variable or entry of a configuration file, where no argument shows them. */
const carriedLines = ({ launch }: ComponentLaunch): string[] =>
  launch.carried
    .filter(({ by }) => !launch.args.some(({ setting }) => setting === by))
    .map(
      ({ by, setting, nodeId }) =>
        `In ${by}: ${setting}, ${nodeId === null ? 'needed by the workload' : `node ${nodeId}`}`,
    );

/** The head of a file that may hold several components: the plan once, then what each of them launches. */
export function clusterHead(plan: Plan, parts: readonly ComponentLaunch[], evidence: Evidence | null): string[] {
  const several = parts.length > 1;
  const lines = parts.flatMap((part, i) => {
    const [title = '', engine = '', ...rest] = headLines(
      planOfComponent(plan, part.component),
      part.launch,
      part.image,
      several ? null : evidence,
    );
    const name = several ? [`${part.component.name} × ${part.component.replicas}: ${engine}`] : [engine];
    return [...(i === 0 ? [title] : []), ...name, ...rest, ...configLines(part), ...carriedLines(part)];
  });
  const request = parts[0] === undefined ? [] : requestLines({ ...parts[0].launch, request: plan.request });
  return [...lines, ...request];
}
