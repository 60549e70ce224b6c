/** The file of stories in the HTML report; html-stories.browser.test.ts has what a browser makes of it. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../../src/core';
import { rehearse } from '../../../src/rehearsal';
import { argoLabs } from '../../stage/labs/argo';
import { ATTACKS, CLEAN, TOLD, toldAs, withText, writeHtml } from './rehearsals';

const labOf = (lab: string) => argoLabs('1.10.2').find(({ name }) => name === lab)!.manifests;

function idsOf(page: string): string[] {
  return [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
}

describe('stories in the HTML report', () => {
  it('have an address for each story and moment, and a target for every link', () => {
    const page = writeHtml(TOLD, TOLD, withText(TOLD, ATTACKS.join('')), toldAs('a/b', 'a', 'a', '部署 <1>', '\ud800'));
    const ids = idsOf(page);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['shop/told/delete@1/3', 'shop/told/straight~2', 'shop/told/a%2Fb/1']));
    const targets = [...page.matchAll(/ (?:href="#|data-from=")([^"]*)"/g)].map(([, to]) => to!);
    expect(targets.length).toBeGreaterThan(300);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('have a colour for the version that another replaced in the middle', () => {
    const world = World.of(labOf('alb-third-1').map((object) => Manifest.of(object as JsonObject)));
    const [argo] = rehearse(world, { stories: ['third-revision@1', 'abort@1'] });
    const colours = (name: string) => {
      const stories = argo!.stories!.filter((story) => story.name === name);
      const squares = writeHtml({ ...argo!, stories }).matchAll(/<path class="(\w+)" d="M\d+ 0h9/g);
      return new Set([...squares].map(([, side]) => side));
    };
    expect(colours('third-revision@1')).toEqual(new Set(['stable', 'canary', 'abandoned']));
    expect(colours('abort@1')).toEqual(new Set(['stable', 'canary']));
  });

  it('leave a report without stories as it is', () => {
    const { stories: _, ...plain } = TOLD;
    for (const page of [writeHtml(CLEAN), writeHtml(plain)]) expect(page).not.toMatch(/class="stor|\.story|data-from/);
    expect(writeHtml({ ...plain, stories: [] })).toBe(writeHtml(plain));
  });

  it('are the same for the same input, and write each difference once', () => {
    expect(writeHtml(TOLD)).toBe(writeHtml(structuredClone(TOLD)));
    // A reference to a short one would be as long as what it saves.
    const [told, timeline] = writeHtml(TOLD).split('<h3>Timeline</h3>') as [string, string];
    const lists = [...told.matchAll(/<ul class="changes">.*?<\/ul>/gs)].map(([list]) => list);
    const long = lists.filter((list) => list.length > 400);
    expect(long.length).toBeGreaterThan(5);
    expect(new Set(long).size).toBe(long.length);
    expect(long.filter((list) => timeline.includes(list))).toEqual([]);
  });
});
