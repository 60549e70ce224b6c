/** Plays several stories: what some of them begin with is played once. */
import { groupedBy } from '../core/grouped';
import type { Story, StoryAction } from './story';

/** A release that people act on. */
export interface Telling<Told> {
  /** A copy that goes on on its own. */
  fork(): Telling<Told>;
  act(action: StoryAction): void;
  /** What has happened until now, as a story. */
  told(name: string): Told;
}

/** Plays stories from the state before the release. The result has their order. */
export function tellAll<Told>(begin: Telling<Told>, stories: readonly Story[]): Told[] {
  const told = new Map<Story, Told>();
  tellFrom(begin, 0, stories);
  return stories.map((story) => told.get(story)!);

  function tellFrom(release: Telling<Told>, depth: number, all: readonly Story[]): void {
    for (const group of alike(all, depth)) {
      const action = group[0]!.actions[depth];
      if (action === undefined) {
        for (const story of group) told.set(story, release.told(story.name));
        continue;
      }
      const next = release.fork();
      next.act(action);
      tellFrom(next, depth + 1, group);
    }
  }
}

/** Stories that go on in the same way. */
function alike(stories: readonly Story[], depth: number): Story[][] {
  return [...groupedBy(stories, ({ actions }) => JSON.stringify(actions[depth]) ?? '').values()];
}
