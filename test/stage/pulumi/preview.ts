/** `npm run stage -- preview`: the Pulumi app of `init`, previewed by the engine of Pulumi. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { binaryOf, PULUMI, programNamed } from '../programs';

const ROOT = join(__dirname, '..', '..', '..');

/** One change of the app, and what a preview has to do. */
interface Case {
  readonly name: string;
  readonly change: (program: string) => string;
  readonly fails: boolean;
  /** What the output has to say. */
  readonly says: readonly string[];
  /** The files of the report; undefined where the program stops before it is checked. */
  readonly report: readonly string[] | undefined;
}

const REPORT = ['annotations.txt', 'findings.json', 'findings.md', 'findings.sarif', 'findings.xml', 'rehearsal.html'];

const CASES: readonly Case[] = [
  { name: 'as init writes it', change: (program) => program, fails: false, says: ['to create'], report: REPORT },
  {
    name: 'with a Service that is not there',
    change: (program) =>
      program
        .replace('ArgoAlbStrategy,', 'ArgoAlbService, ArgoAlbStrategy,')
        .replace('.canary({', ".canary({ canaryService: ArgoAlbService.existing('web-canry'),"),
    fails: true,
    says: ['error[argo-service-not-found]', '--> index.ts:', 'found errors in this stack'],
    report: [...REPORT, 'rejected'],
  },
  {
    name: 'with a weight of 150',
    change: (program) => program.replace('setWeight(50)', 'setWeight(150)'),
    fails: true,
    says: ['ArgoAlbRollout "web" cannot be made', 'steps[2].setWeight: 150 is not between 0 and 100'],
    report: undefined,
  },
];

/** Previews every case. Gives the exit code: 1 if one of them is not as it has to be. */
export function previewAll(report: (line: string) => void): number {
  const folder = mkdtempSync(join(tmpdir(), 'preview-'));
  try {
    const stack = new Stack(folder);
    const problems = CASES.flatMap((one) => {
      const found = stack.preview(one);
      report(`${one.name}: ${found.length === 0 ? 'as it has to be' : found.join('; ')}`);
      return found;
    });
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The configuration that the README of the app names. */
const CONFIG = {
  'aws:region': 'eu-west-1',
  oidcProviderArn: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1',
  host: 'shop.example.com',
};

/** The app in a folder of its own, with a backend in files. */
class Stack {
  private readonly app: string;
  private readonly program: string;

  constructor(private readonly folder: string) {
    this.app = join(folder, 'shop');
    const init = [join(ROOT, 'bin', 'rollout-constructs'), 'init', this.app, '--template', 'argo-alb-pulumi'];
    this.succeed(process.execPath, init, ROOT);
    this.program = readFileSync(join(this.app, 'index.ts'), 'utf8');
    mkdirSync(join(this.app, 'node_modules'));
    for (const name of ['@pulumi', '@types', 'typescript'])
      symlinkSync(join(ROOT, 'node_modules', name), join(this.app, 'node_modules', name));
    symlinkSync(ROOT, join(this.app, 'node_modules', 'rollout-constructs'));
    for (const name of ['backend', 'bin']) mkdirSync(join(folder, name));
    // The built program has its release in its name.
    symlinkSync(binaryOf(programNamed(PULUMI)), join(folder, 'bin', 'pulumi'));
    this.addPlugin('pulumi-language-nodejs', 'language-host.ts');
    for (const name of ['aws', 'kubernetes']) this.addPlugin(`pulumi-resource-${name}`, 'provider.ts');
    this.succeed('pulumi', ['stack', 'init', 'dev', '--non-interactive']);
    for (const [name, value] of Object.entries(CONFIG)) this.succeed('pulumi', ['config', 'set', name, value]);
  }

  /** What is wrong with the preview of a case. */
  preview({ change, fails, says, report }: Case): string[] {
    writeFileSync(join(this.app, 'index.ts'), change(this.program));
    rmSync(join(this.app, 'reports'), { recursive: true, force: true });
    const { status, output } = this.run('pulumi', ['preview', '--non-interactive']);
    const files = this.files();
    return [
      ...((status !== 0) === fails ? [] : [`the exit code is ${status}`]),
      ...says.filter((text) => !output.includes(text)).map((text) => `it does not say: ${text}`),
      ...(/^\s+at .*:\d+:\d+\)?$/m.test(output) ? ['it shows a stack trace'] : []),
      ...(JSON.stringify(files) === JSON.stringify(report) ? [] : [`the reports are ${files?.join(', ') ?? 'none'}`]),
    ];
  }

  private files(): string[] | undefined {
    try {
      return readdirSync(join(this.app, 'reports')).sort();
    } catch {
      return undefined;
    }
  }

  /** A plugin is a program on the PATH. */
  private addPlugin(name: string, source: string): void {
    const file = join(this.folder, 'bin', name);
    const tsx = pathToFileURL(require.resolve('tsx'));
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' --import '${tsx}' '${join(__dirname, source)}' "$@"\n`);
    chmodSync(file, 0o755);
  }

  private succeed(command: string, args: readonly string[], cwd?: string): void {
    const { status, output } = this.run(command, args, cwd);
    if (status !== 0) throw new Error(`"${command} ${args.join(' ')}" failed:\n${output}`);
  }

  private run(command: string, args: readonly string[], cwd = this.app) {
    const env = {
      ...process.env,
      PATH: [join(this.folder, 'bin'), process.env.PATH].join(delimiter),
      PULUMI_HOME: join(this.folder, 'home'),
      PULUMI_BACKEND_URL: pathToFileURL(join(this.folder, 'backend')).href,
      PULUMI_CONFIG_PASSPHRASE: 'no secret',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      ROLLOUT_CONSTRUCTS_REPORT: 'reports',
      NO_COLOR: '1',
    };
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd,
      env,
      encoding: 'utf8',
      timeout: 300_000,
    });
    if (error !== undefined) throw error;
    return { status, output: `${stdout}${stderr}` };
  }
}
