/** The evidence of what differs between releases: each named recording exists, and notices when its fact is another. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ARGO_HISTORY } from '../../src/argo/facts';
import { ArgoRolloutsVersion } from '../../src/argo/version';
import type { Since } from '../../src/core/release-history';
import { KRUISE_HISTORY } from '../../src/kruise/facts';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import type { RehearseOptions } from '../../src/rehearsal';
import { differencesOf } from './compare';
import { labsOf } from './labs';
import { MODELS } from './models';

type History = readonly Since<unknown>[];

/** A controller: its histories, and how a lab is rehearsed for a release with other facts. */
interface Controller {
  readonly name: string;
  readonly histories: Readonly<Record<string, History>>;
  options(release: string, facts: object): RehearseOptions;
}

const CONTROLLERS: readonly Controller[] = [
  {
    name: 'kruise',
    histories: KRUISE_HISTORY as Readonly<Record<string, History>>,
    options: (release, facts) => ({ kruiseVersion: KruiseRolloutVersion.of(release, facts) }),
  },
  {
    name: 'argo',
    histories: ARGO_HISTORY as Readonly<Record<string, History>>,
    options: (release, facts) => ({ argoVersion: ArgoRolloutsVersion.of(release, facts) }),
  },
];

const entries = CONTROLLERS.flatMap((controller) =>
  Object.entries(controller.histories).flatMap(([fact, history]) =>
    history.map((entry) => ({
      controller,
      fact,
      history,
      entry,
      title: `${controller.name}: ${fact} from ${entry.from}`,
    })),
  ),
);

test.each(entries)('$title: has evidence, and is another than before', ({ history, entry }) => {
  expect(entry.recordings ?? entry.source).toBeDefined();
  const before = history[history.indexOf(entry) - 1];
  expect(JSON.stringify(before?.is)).not.toBe(JSON.stringify(entry.is));
});

const recordings = entries.flatMap(({ entry, title, ...rest }) =>
  (entry.recordings ?? []).map((recording) => ({
    ...rest,
    entry,
    recording,
    title: `${title} is shown by ${recording}`,
  })),
);

test.each(recordings)('$title', ({ controller, fact, history, entry, recording }) => {
  const [release = '', lab = ''] = recording.split('/');
  const file = join(__dirname, 'recordings', controller.name, release, `${lab}.json`);
  expect(existsSync(file), `there is no ${file}`).toBe(true);
  const played = JSON.parse(readFileSync(file, 'utf8'));
  const stack = labsOf(controller.name, release).find(({ name }) => name === lab)!;
  const model = MODELS[controller.name]!;
  const others = history.filter((other) => other !== entry);
  const unnoticed = others.filter(({ is }) => {
    const options = () => controller.options(release, { [fact]: is });
    return differencesOf(stack, played, { ...model, options }).length === 0;
  });
  // Another value of the fact is another rehearsal, which this recording contradicts.
  expect(unnoticed.length).toBeLessThan(others.length);
  expect(differencesOf(stack, played, model)).toEqual([]);
});
