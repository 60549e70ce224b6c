/** The pictures of the README and of docs/: what each one shows, and the run of the command line that it shows. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ruleGroups } from '../../src/check';
import { sha256Hex } from '../../src/core/sha256';

const ROOT = resolve(__dirname, '..', '..');

const PROGRAM = join(ROOT, 'bin', 'rollout-constructs');

/** The folder of the pictures. */
export const FOLDER = join(ROOT, 'docs', 'images');

/** A run of the command line, in a folder with these files. */
interface Run {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** What a terminal shows of a run. */
export interface TerminalPicture extends Run {
  readonly name: `${string}.svg`;
}

/** A part of the page that a run writes. */
export interface PagePicture extends Run {
  readonly name: `${string}.png`;
  /** Where the page is opened: `#rollout-1-moment-3`. */
  readonly fragment: string;
  readonly colorScheme: 'light' | 'dark';
  /** The parts that the picture shows, with what is between them. */
  readonly parts: readonly string[];
}

/** A stack whose canary gets nothing, and the same one corrected: the examples of a rule. */
const { failing, corrected } = ruleGroups.flatMap(({ rules }) => rules).find(({ id }) => id === 'kruise-alb-order')!;
const WRONG = { 'deploy/web.yaml': failing.text };
const RIGHT = { 'deploy/web.yaml': corrected.text };

const PLAYED = ['rehearse', 'deploy', '--format', 'html'] as const;

export const TERMINAL_PICTURES: readonly TerminalPicture[] = [
  { name: 'check.svg', args: ['check', 'deploy'], files: WRONG },
  { name: 'rehearse.svg', args: ['rehearse', 'deploy'], files: RIGHT },
];

export const PAGE_PICTURES: readonly PagePicture[] = [
  {
    name: 'rehearsal-findings.png',
    args: PLAYED,
    files: WRONG,
    fragment: '#rollout-1-moment-3',
    colorScheme: 'light',
    parts: ['header', 'article section:has(> [aria-label^=Timeline])'],
  },
  {
    name: 'rehearsal-flow.png',
    args: PLAYED,
    files: WRONG,
    fragment: '#rollout-1-moment-3',
    colorScheme: 'light',
    parts: ['#rollout-1-moment-3 h4', '#rollout-1-moment-3 .traffic'],
  },
  {
    name: 'rehearsal-step.png',
    args: PLAYED,
    files: RIGHT,
    fragment: '#rollout-1-moment-4',
    colorScheme: 'dark',
    parts: ['#rollout-1-moment-4'],
  },
  {
    name: 'rehearsal-story.png',
    args: [...PLAYED, '--stories', 'all'],
    files: {
      'deploy/web.yaml': readFileSync(join(ROOT, 'src', 'playground', 'examples', 'argo-aws-alb.yaml'), 'utf8'),
    },
    fragment: '#shop/web/third-revision@3/7',
    colorScheme: 'light',
    parts: ['.stories'],
  },
];

const runs = new Map<string, string>();

/** What a run prints; two pictures of the same run share it. */
export function outputOf({ args, files }: Run): string {
  const key = JSON.stringify([args, files]);
  const known = runs.get(key);
  if (known !== undefined) return known;
  const output = played({ args, files });
  runs.set(key, output);
  return output;
}

function played({ args, files }: Run): string {
  const cwd = mkdtempSync(join(tmpdir(), 'rollout-constructs-picture-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '', FORCE_COLOR: '1', LC_ALL: 'C.UTF-8' },
      maxBuffer: 64 * 1024 * 1024,
    });
    // 1 says that there are findings.
    if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** A digest of all that a picture of a page shows, and how. The picture carries it, so that nobody needs a browser to compare. */
export function digestOf(picture: PagePicture): string {
  const { fragment, colorScheme, parts } = picture;
  return sha256Hex(JSON.stringify([outputOf(picture), fragment, colorScheme, parts]));
}
