/** A lab with a place in the list of what was watched. */
import type { StoryAction, StoryPatch } from '../../../src/release';
import type { Lab } from '../play';

/** The style of the labs of examples. */
export const EXAMPLE = 'example';

/** A lab that is recorded. */
export interface ListedLab extends Lab {
  /** `canary`, `partition, StatefulSet`. */
  readonly style: string;
  /** The router, or `none`. */
  readonly router: string;
}

/** What is done to a release, in the words of the library's stories: `straight`, `abort, retry`. */
export function storyText(lab: ListedLab): string {
  const { story } = lab;
  let step = 0;
  let isOver = false;
  const words = !isExample(lab) && lab.manifests.some(({ kind }) => kind === 'HorizontalPodAutoscaler') ? ['hpa'] : [];
  for (const action of story) {
    if (typeof action !== 'string' && 'until' in action) step = action.until.step ?? step;
    words.push(...wordOf(action, step, isOver));
    if (action === 'finish') isOver = true;
  }
  return words.filter((word, index) => words.indexOf(word) === index).join(', ') || 'straight';
}

/** True for a lab whose manifests an example prints, which takes a while. */
export function isExample({ style }: ListedLab): boolean {
  return style === EXAMPLE;
}

/** What leaves the straight road. */
function wordOf(action: StoryAction, step: number, isOver: boolean): string[] {
  if (typeof action === 'string') return /^(approve|finish|promote)$/.test(action) ? [] : [action];
  if ('jump' in action) return [action.jump > step ? 'jump-forward' : 'jump-back'];
  if ('scale' in action) return ['scale'];
  if ('analysis' in action) return [`analysis-${action.analysis}`];
  if ('loadBalancer' in action)
    return action.loadBalancer === 'follows' ? [] : [`load balancer ${action.loadBalancer}`];
  if ('patch' in action) return [changeOf(action.patch)];
  if (!('release' in action)) return [];
  if (action.ready === 'never') return ['never-ready'];
  if (action.release === 'v1') return [isOver ? 'roll-back after the end' : 'roll-back'];
  return action.release === 'v2' ? [] : [isOver ? 'next release' : 'third-revision'];
}

function changeOf({ kind, with: change }: StoryPatch): string {
  if (change === null) return 'object gone';
  const spec = change.spec as Readonly<Record<string, unknown>> | undefined;
  if (spec?.replicas !== undefined) return 'scale';
  return kind === 'Rollout' ? 'edit-step' : 'edit-route';
}
