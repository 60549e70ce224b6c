import type { Rehearsal } from '../../core/rehearsal-result';

/** Rollouts of Kruise, TrafficRoutings, Rollouts of Argo, each by namespace and name: as one rehearsal of all has them. */
export function inOrderOfWorld(rehearsals: readonly Rehearsal[]): Rehearsal[] {
  return rehearsals
    .map((rehearsal) => ({ rehearsal, key: keyOf(rehearsal) }))
    .sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))
    .map(({ rehearsal }) => rehearsal);
}

function keyOf({ rollout: { apiVersion = '', kind, namespace = 'default', name } }: Rehearsal): string {
  const rank = apiVersion.startsWith('argoproj.io/') ? 2 : kind === 'TrafficRouting' ? 1 : 0;
  // A line feed sorts before every character of a name.
  return `${rank}\n${namespace}\n${name}`;
}
