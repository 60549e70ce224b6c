/** Writes docs/recordings.md: which releases of which controllers were played on the stage, and with what. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { KNOWN_DIFFERENCES } from '../test/stage/known-differences';
import { labsOf } from '../test/stage/labs';
import { ARGO_RELEASES, KRUISE_RELEASES, KUBERNETES_VERSION } from '../test/stage/programs';

const root = resolve(__dirname, '..');
const CONTROLLERS = [
  { name: 'kruise', title: 'Kruise Rollouts', releases: KRUISE_RELEASES },
  { name: 'argo', title: 'Argo Rollouts', releases: ARGO_RELEASES },
] as const;

/** The text of the page. */
export function recordingsPage(): string {
  return `# Recorded releases

Each release below was played by the released controller on a real API server (Kubernetes ${KUBERNETES_VERSION}), with the install that this
library writes. [test/stage](../test/stage/README.md) has the labs and the recordings; \`npm test\` holds rehearsals against them. A name says
the style or the router, and then what happens: without more it is the straight road, approved at each pause.

- **yes**: recorded, and the rehearsal writes the same, in the same order, with the same pods, as far as it plays the story
- **hangs**: the same, and the release never ends
- **differs**: recorded, with a known difference, listed below
- **no**: never played

${CONTROLLERS.map(sectionOf).join('\n')}
## Known differences

${KNOWN_DIFFERENCES.map(({ releases, labs, about, reason }) => `- \`${releases.source}\`, labs \`${labs.source}\`, ${about ?? 'everything'}: ${reason}.`).join('\n')}
`;
}

function sectionOf({ name, title, releases }: (typeof CONTROLLERS)[number]): string {
  const labs = [...new Set(releases.flatMap((release) => labsOf(name, release).map((lab) => lab.name)))].sort();
  const rows = labs.map((lab) => `| ${lab} | ${releases.map((release) => cellOf(name, release, lab)).join(' | ')} |`);
  const counts = releases.map((release) => {
    const folder = folderOf(name, release);
    return existsSync(folder) ? readdirSync(folder).length : 0;
  });
  return `## ${title}

| lab | ${releases.join(' | ')} |
|---|${releases.map(() => '---|').join('')}
| **recorded** | ${counts.map((count) => `**${count}**`).join(' | ')} |
${rows.join('\n')}
`;
}

function folderOf(controller: string, release: string): string {
  return resolve(root, 'test/stage/recordings', controller, release);
}

function cellOf(controller: string, release: string, lab: string): string {
  const file = resolve(folderOf(controller, release), `${lab}.json`);
  if (!existsSync(file)) return 'no';
  const program = `${controller}@${release}`;
  if (KNOWN_DIFFERENCES.some(({ releases, labs }) => releases.test(program) && labs.test(lab))) return 'differs';
  return JSON.parse(readFileSync(file, 'utf8')).hangs ? 'hangs' : 'yes';
}

if (require.main === module) writeFileSync(resolve(root, 'docs/recordings.md'), recordingsPage());
