/** The files of a report that a synth or a preview writes for CI, also where it fails. */
import { stringify } from 'yaml';
import type { Finding } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import { reporters } from './index';
import { rehearsalReporters } from './rehearsal';
import type { ReportContext } from './reporter';

/** The formats of findings, by the ending of a file. */
const FORMATS = { '.json': 'json', '.sarif': 'sarif', '.xml': 'junit', '.md': 'markdown' } as const;
const HTML = '.html';

/** What a folder gets. */
const FOLDER = {
  'findings.json': 'json',
  'findings.sarif': 'sarif',
  'findings.xml': 'junit',
  'findings.md': 'markdown',
  'annotations.txt': 'github',
} as const;

/** The folder of manifests that were refused. */
export const REJECTED = 'rejected';

/** A file, or a folder with every format. */
export interface ReportTarget {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What a report is made of. */
export interface ReportContent {
  readonly findings: readonly Finding[];
  readonly rehearsals: readonly Rehearsal[];
  readonly context: ReportContext;
  /** The manifests of a synth that findings fail; empty where they do not. */
  readonly rejected: readonly RejectedFile[];
}

/** Manifests that nobody else writes, because the synth fails. */
export interface RejectedFile {
  /** `shop.k8s.yaml` */
  readonly name: string;
  readonly objects: readonly object[];
}

/** A file to write; its name begins with that of the target. */
export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a list of targets, separated by commas. Names without an ending, and those that end in `/`, are folders.
 * @param what who names them, for an error
 * @example reportTargets('reports/', 'ROLLOUT_CONSTRUCTS_REPORT')
 */
export function reportTargets(text: string | undefined, what: string): ReportTarget[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const ending = endingOf(name);
      if (ending === '') return { name: name.replace(/(?<=.)[\\/]+$/, ''), isFolder: true };
      if (ending === HTML || ending in FORMATS) return { name, isFolder: false };
      const known = [...Object.keys(FORMATS), HTML].join(', ');
      throw new Error(`${what} names "${name}": the ending of a report is one of ${known}; a folder ends in /`);
    });
}

/** Whether a target shows rehearsals. */
export function hasRehearsals({ name, isFolder }: ReportTarget): boolean {
  return isFolder || endingOf(name) === HTML;
}

/** The files of a target. */
export function reportFiles(target: ReportTarget, content: ReportContent): ReportFile[] {
  const { findings, rehearsals, rejected } = content;
  const context = { ...content.context, findings };
  if (!target.isFolder) {
    const ending = endingOf(target.name);
    const text =
      ending === HTML
        ? rehearsalReporters.html(rehearsals, context)
        : reporters[FORMATS[ending as keyof typeof FORMATS]](findings, context);
    return [{ name: target.name, text }];
  }
  const within = (name: string) => `${target.name}/${name}`;
  return [
    ...Object.entries(FOLDER).map(([name, format]) => ({
      name: within(name),
      text: reporters[format](findings, context),
    })),
    { name: within('rehearsal.html'), text: rehearsalReporters.html(rehearsals, context) },
    ...rejected.map(({ name, objects }) => ({ name: within(`${REJECTED}/${name}`), text: yamlOf(objects) })),
  ];
}

/** Texts that YAML 1.1 reads as something else, such as `on`, are in quotes. */
function yamlOf(objects: readonly object[]): string {
  const options = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
  return objects.map((object) => stringify(object, options)).join('---\n');
}

/** `.json`; empty for a folder. */
function endingOf(name: string): string {
  return /[^\\/](\.[^.\\/]*)$/.exec(name)?.[1] ?? '';
}
