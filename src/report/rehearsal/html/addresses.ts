import type { Rehearsal } from '../../../core/rehearsal-result';

/** The anchors of a story: what follows `#` in its address. */
export interface StoryIds {
  readonly story: string;
  moment(index: number): string;
}

/**
 * The anchors of the stories of each rehearsal: `shop/web/abort@1`, and `shop/web/abort@1/3` for its third moment. They
 * consist of names, so that an address stays the same when other Rollouts and stories come and go.
 */
export function storyIdsOf(rehearsals: readonly Rehearsal[]): StoryIds[][] {
  const used = new Map<string, number>();
  const unique = (address: string) => {
    const count = (used.get(address) ?? 0) + 1;
    used.set(address, count);
    return count === 1 ? address : `${address}~${count}`;
  };
  return rehearsals.map(({ rollout: { namespace, name }, stories = [] }) =>
    stories.map((each) => {
      const parts = [...(namespace === undefined ? [] : [namespace]), name, each.name];
      const story = unique(parts.map(encoded).join('/'));
      return { story, moment: (index) => `${story}/${index + 1}` };
    }),
  );
}

/** A name as browsers leave it in an address. */
function encoded(name: string): string {
  // A surrogate without its partner has no encoding.
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%40', '@');
}
