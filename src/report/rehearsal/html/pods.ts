import type { RehearsedPods, RehearsedStoryMoment } from '../../../core/rehearsal-result';
import { html, type Markup } from './markup';

/** The largest number of squares in a row. */
const SQUARES = 24;
const SIDE = 9;
const PITCH = 11;

/** The number of pods that a square stands for, so that every row of these moments fits. */
export function scaleOf(moments: readonly RehearsedStoryMoment[]): number {
  const totals = moments.flatMap(({ pods }) => pods.map(({ versions }) => sum(Object.values(versions))));
  return Math.max(1, Math.ceil(totals.reduce((most, total) => Math.max(most, total), 0) / SQUARES));
}

/** The pods behind a Service: a square for each, coloured by version, and the numbers. */
export function podRow({ service, versions }: RehearsedPods, moment: RehearsedStoryMoment, scale: number): Markup {
  const counts = Object.entries(versions).filter(([, count]) => count > 0);
  let at = 0;
  const squares = counts.map(([version, count]) => {
    const path = Array.from({ length: Math.ceil(count / scale) }, () => `M${at++ * PITCH} 0h${SIDE}v${SIDE}h-${SIDE}z`);
    return html`<path class="${sideOf(version, moment)}" d="${path.join('')}"/>`;
  });
  const text = counts.map(([version, count]) => `${count} ${version}`).join(' + ');
  return html`<tr><th scope="row"><code>${service}</code></th><td>${text || 'no pod: nobody answers'}${
    at > 0 &&
    html`<svg class="pods" aria-hidden="true" viewBox="0 0 ${at * PITCH} ${SIDE}" width="${at * PITCH}" height="${SIDE}">${squares}</svg>`
  }</td></tr>
`;
}

/** The part that a version plays; one that another has replaced in the middle has a colour of its own. */
function sideOf(version: string, { versions: { stable, canary } }: RehearsedStoryMoment): string {
  if (version === stable) return 'stable';
  return version === canary ? 'canary' : 'abandoned';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
