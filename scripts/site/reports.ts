/** Rehearsals to look at: the reports that the command line writes of the playground's examples, with every story. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..');
const EXAMPLES = join(ROOT, 'src', 'playground', 'examples');

/** A report, and the command that writes it. */
interface Report {
  readonly file: string;
  readonly title: string;
  readonly args: readonly string[];
}

const STORIES = ['--stories', 'all'] as const;

const REPORTS: readonly Report[] = [
  { file: 'kruise-aws-alb', title: 'Kruise Rollouts on an AWS ALB', args: ['rehearse', ...STORIES] },
  { file: 'argo-aws-alb', title: 'Argo Rollouts on an AWS ALB', args: ['rehearse', ...STORIES] },
  { file: 'kruise-aliyun-alb', title: 'Kruise Rollouts on an Alibaba Cloud ALB', args: ['rehearse', ...STORIES] },
  { file: 'kruise-custom-gateway', title: 'Kruise Rollouts on a gateway of your own', args: ['rehearse', ...STORIES] },
  { file: 'ktenv', title: 'Virtual environments of KtEnv', args: ['env', 'preview'] },
];

/** Runs the commands, and writes their reports below a folder, at `rehearsals/<file>.html`. */
export function writeReports(folder: string): readonly Report[] {
  mkdirSync(join(folder, 'rehearsals'), { recursive: true });
  const program = join(ROOT, 'bin', 'rollout-constructs');
  for (const { file, args } of REPORTS) {
    const output = join(folder, 'rehearsals', `${file}.html`);
    const given = [program, ...args, `${file}.yaml`, '--format', 'html', '--output', output];
    const { status, stderr } = spawnSync(process.execPath, given, { cwd: EXAMPLES, encoding: 'utf8' });
    // 1 says that there are findings.
    if (status !== 0 && status !== 1) throw new Error(`${given.join(' ')} ended with ${status}: ${stderr}`);
  }
  return REPORTS;
}

/** The page that lists them. */
export function reportsPage(reports: readonly Report[]): string {
  const rows = reports.map(
    // The generator did not make these pages, so the browser loads them as a whole.
    ({ file, title, args }) =>
      `| <a href="./${file}.html" target="_self">${title}</a> | \`rollout-constructs ${args.join(' ')} ${file}.yaml --format html\` |`,
  );
  return `# Rehearsals to look at

Each is one HTML file as the command line writes it, of an example of the <a href="../index.html" target="_self">playground</a>. Choose a story and move its slider: who
answers each request at each moment, with which pods, and what the controller wrote. [Stories](../stories.md) tells what the recordings of real
controllers show, and [Rehearsals](../rehearsal.md) how to read a report.

| report | command |
|---|---|
${rows.join('\n')}
`;
}
