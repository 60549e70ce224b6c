/**
 * Writes docs/recordings.md: which releases of which controllers were played on the stage, with what, and when; and beside the
 * recordings, what was applied and done in each lab.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { KNOWN_DIFFERENCES } from '../test/stage/known-differences';
import { labsOf } from '../test/stage/labs';
import { isExample, type ListedLab, storyText } from '../test/stage/labs/listed';
import { ARGO_RELEASES, KRUISE_RELEASES, KUBERNETES_VERSION } from '../test/stage/programs';
import { type SeenDelay, seenDelays } from '../test/stage/times';

const root = resolve(__dirname, '..');
const CONTROLLERS = [
  { name: 'kruise', title: 'Kruise Rollouts', releases: KRUISE_RELEASES },
  { name: 'argo', title: 'Argo Rollouts', releases: ARGO_RELEASES },
] as const;

type Controller = (typeof CONTROLLERS)[number];

/** The delays that recordings of a release have where its rehearsals tell them. */
export type DelaysOf = (controller: string, release: string) => readonly SeenDelay[];

/** The text of the page. To know the delays, every rehearsal is played, unless the caller has played them. */
export function recordingsPage(delaysOf: DelaysOf = seenDelays): string {
  return `# Recorded releases

Each release below was played by the released controller on a real API server (Kubernetes ${KUBERNETES_VERSION}), with the install that this
library writes. [test/stage](../test/stage/README.md) has the labs and the recordings; \`npm test\` holds rehearsals against them: the writes,
their content and order, and the pods behind each Service. A story is what people do, in the words of [stories](stories.md); \`straight\` is
approval at each pause.

- **a day**: recorded then, and the rehearsal is the same
- **hangs**: the same, and the release never ends
- **differs**: recorded, with a known difference, listed below
- **never**: not played with this release

${CONTROLLERS.map(sectionOf).join('\n')}
${delaysSection(delaysOf)}
## Known differences

${KNOWN_DIFFERENCES.map(({ releases, labs, about, reason }) => `- \`${releases.source}\`, labs \`${labs.source}\`, ${about ?? 'everything'}: ${reason}.`).join('\n')}
`;
}

/** How long the controllers waited where a rehearsal tells a delay. */
function delaysSection(delaysOf: DelaysOf): string {
  const rows = CONTROLLERS.flatMap(({ name, title, releases }) => {
    const delays = releases.flatMap((release) => delaysOf(name, release));
    const byDelay = new Map<string, number[]>();
    for (const { field, told, seen } of delays) {
      const key = `| ${title} | \`${field}\` | ${told} |`;
      byDelay.set(key, [...(byDelay.get(key) ?? []), seen]);
    }
    return [...byDelay]
      .sort(([a], [b]) => compare(a, b))
      .map(([key, seen]) => {
        const ordered = [...seen].sort((a, b) => a - b);
        return `${key} ${ordered[0]} | ${ordered[Math.floor(ordered.length / 2)]} | ${ordered.length} |`;
      });
  });
  return `## Delays

Where a rehearsal says that time makes the next moment, in seconds: what it tells, and how long the controller waited before its next write.
A machine that plays 40 labs at once adds to each delay, and the controllers keep times in whole seconds.

| controller | field | told | shortest | median | times |
|---|---|--:|--:|--:|--:|
${rows.join('\n')}
`;
}

/** What is applied and done in each recorded lab of a controller, one a line; the examples print their own. */
export function labsOfRecordings(controller: string): string {
  return labsIn(CONTROLLERS.find(({ name }) => name === controller)!)
    .filter((lab) => !isExample(lab))
    .map(
      ({ name, story, manifests, loadBalancer }) =>
        `${JSON.stringify({ lab: name, story, loadBalancer, manifests })}\n`,
    )
    .join('');
}

/** The file of it. */
export function labsFile(controller: string): string {
  return resolve(root, 'test/stage/recordings', `${controller}.labs.jsonl`);
}

/** Every lab that some release has a recording of, by its place. */
function labsIn({ name, releases }: Controller): ListedLab[] {
  const recorded = releases.flatMap((release) =>
    labsOf(name, release).filter((lab) => existsSync(fileOf(name, release, lab))),
  );
  const labs = new Map(recorded.map((lab) => [lab.name, lab]));
  return [...labs.values()].sort((a, b) => compare(placeOf(a), placeOf(b)) || compare(a.name, b.name));
}

function sectionOf(controller: Controller): string {
  const { name, title, releases } = controller;
  const listed = labsIn(controller);
  const counts = releases.map((release) => {
    const folder = folderOf(name, release);
    return existsSync(folder) ? readdirSync(folder).length : 0;
  });
  return `## ${title}

${watched(controller, listed)}
### Every lab of ${title}

| style | router | story | lab | ${releases.join(' | ')} |
|---|---|---|---|${releases.map(() => '---|').join('')}
| | | | **recorded** | ${counts.map((count) => `**${count}**`).join(' | ')} |
${listed.map((lab) => `| ${placeOf(lab)} | ${lab.name} | ${releases.map((release) => cellOf(name, release, lab)).join(' | ')} |`).join('\n')}
`;
}

/** The stories that are watched for each style and router, and those that nobody has watched yet. */
function watched({ name, title, releases: [newest] }: Controller, labs: readonly ListedLab[]): string {
  const played = labs.filter((lab) => existsSync(fileOf(name, newest, lab)));
  const stories = [...new Set(played.map(storyText))].sort(compare);
  const rows = [...new Set(played.map(({ style, router }) => `${style} | ${router}`))].sort(compare);
  const of = (row: string, story: string) =>
    played.filter((lab) => `${lab.style} | ${lab.router}` === row && storyText(lab) === story).length;
  return `### What was watched of ${title} ${newest}

The number of labs for each style, router and story; an empty cell was never watched.

| style | router | ${stories.join(' | ')} |
|---|---|${stories.map(() => '---|').join('')}
${rows.map((row) => `| ${row} | ${stories.map((story) => of(row, story) || '').join(' | ')} |`).join('\n')}
`;
}

function placeOf(lab: ListedLab): string {
  return `${lab.style} | ${lab.router} | ${storyText(lab)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function folderOf(controller: string, release: string): string {
  return resolve(root, 'test/stage/recordings', controller, release);
}

function fileOf(controller: string, release: string, lab: ListedLab): string {
  return resolve(folderOf(controller, release), `${lab.name}.json`);
}

function cellOf(controller: string, release: string, lab: ListedLab): string {
  const file = fileOf(controller, release, lab);
  if (!existsSync(file)) return 'never';
  const program = `${controller}@${release}`;
  const { hangs, recorded } = JSON.parse(readFileSync(file, 'utf8'));
  if (KNOWN_DIFFERENCES.some(({ releases, labs }) => releases.test(program) && labs.test(lab.name))) return 'differs';
  return hangs ? `hangs, ${recorded}` : recorded;
}

if (require.main === module) {
  writeFileSync(resolve(root, 'docs/recordings.md'), recordingsPage());
  for (const { name } of CONTROLLERS) writeFileSync(labsFile(name), labsOfRecordings(name));
}
