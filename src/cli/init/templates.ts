import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { PACKAGE_FOLDER } from '../../files/package';

/** What `init` can write. */
export interface Template {
  readonly summary: string;
  readonly tool: keyof typeof TOOLS;
  /**
   * What `npm run preview` runs.
   * @default - a rehearsal, where the tool writes manifests
   */
  readonly preview?: string;
  /**
   * What `npm test` runs before the test of the app.
   * @default - nothing
   */
  readonly pretest?: string;
}

/** What a command of an app does, for its README and for what `init` prints. */
export type NextStep = readonly [command: string, what: string];

export const TEMPLATES = {
  'kruise-alb': {
    summary: 'canaries of OpenKruise Rollouts behind a load balancer of AWS',
    tool: 'cdk8s',
  },
  'aliyun-alb': {
    summary: 'canaries of OpenKruise Rollouts behind a load balancer of Alibaba Cloud',
    tool: 'cdk8s',
  },
  'lua-gateway': {
    summary: 'canaries of OpenKruise Rollouts on a gateway of your own, with its routing script',
    tool: 'cdk8s',
    pretest: 'rollout-constructs test',
  },
  'argo-alb': {
    summary: 'canaries of Argo Rollouts behind a load balancer of AWS',
    tool: 'cdk8s',
  },
  'argo-alb-pulumi': {
    summary: 'the same with Pulumi, and with the AWS role that verifies weights',
    tool: 'pulumi',
  },
  ktenv: {
    summary: 'virtual environments of KtEnv on Istio',
    tool: 'cdk8s',
    preview: 'rollout-constructs env preview dist',
  },
} as const satisfies Readonly<Record<string, Template>>;

export type TemplateName = keyof typeof TEMPLATES;

/** What every app of a tool has. */
interface Tool {
  /** The folder of these files. */
  readonly folder: string;
  /** Where each of them goes: with a dot, npm would leave it out of the package of this library. */
  readonly files: Readonly<Record<string, string>>;
  readonly scripts: (template: Template) => Readonly<Record<string, string>>;
  /** The test of the app. */
  readonly test: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly nextSteps: (template: Template) => readonly NextStep[];
}

const TOOLS = {
  cdk8s: {
    folder: 'app',
    files: {
      'main.ts': 'main.ts',
      'cdk8s.yaml': 'cdk8s.yaml',
      'tsconfig.json': 'tsconfig.json',
      'rollout-constructs.config.yaml': 'rollout-constructs.config.yaml',
      '.gitignore': 'gitignore',
      '.gitlab-ci.yml': 'gitlab-ci.yaml',
      '.github/workflows/check.yaml': 'github-workflow.yaml',
    },
    test: 'app.test.ts',
    scripts: ({ preview = 'rollout-constructs rehearse dist' }) => ({
      synth: 'cdk8s synth --check-upgrade=false',
      check: 'rollout-constructs check',
      preview,
      build: 'npm run compile && npm test && npm run synth && npm run check',
    }),
    dependencies: ['cdk8s', 'constructs'],
    devDependencies: ['@types/node', 'cdk8s-cli', 'tsx', 'typescript'],
    nextSteps: ({ preview }) => [
      ['npm test', 'tests what a release will do'],
      ['npm run synth', 'writes dist/; fails with everything that is wrong'],
      ['npm run check', 'checks dist/ as CI does'],
      ['npm run preview', preview ? 'which pods answer in each environment' : 'where each request goes, at every step'],
    ],
  },
  pulumi: {
    folder: 'pulumi-app',
    files: {
      'Pulumi.yaml': 'Pulumi.yaml',
      'tsconfig.json': '../app/tsconfig.json',
      '.gitignore': 'gitignore',
      '.gitlab-ci.yml': 'gitlab-ci.yaml',
      '.github/workflows/check.yaml': 'github-workflow.yaml',
    },
    test: 'index.test.ts',
    scripts: () => ({ build: 'npm run compile && npm test' }),
    dependencies: ['@pulumi/pulumi', '@pulumi/kubernetes', '@pulumi/aws'],
    devDependencies: ['@types/node', 'tsx', 'typescript'],
    nextSteps: () => [
      ['npm test', 'runs the program with mocks; fails with everything that is wrong'],
      ['pulumi stack init dev', 'then set the configuration that README.md lists'],
      ['pulumi preview', 'checks the program with the real values'],
    ],
  },
} as const satisfies Readonly<Record<string, Tool>>;

/** What to do with a new app, in this order. */
export function nextSteps(name: TemplateName): readonly NextStep[] {
  const template: Template = TEMPLATES[name];
  return [['npm install', 'then commit package-lock.json, which CI needs'], ...toolOf(template).nextSteps(template)];
}

/** The files of a new app, by their paths in it. */
export function appFiles(name: TemplateName, folder: string): ReadonlyMap<string, string> {
  const template: Template = TEMPLATES[name];
  const tool = toolOf(template);
  const values: Readonly<Record<string, string>> = {
    name: packageName(folder),
    summary: template.summary,
    steps: stepLines(nextSteps(name)).join('\n'),
  };
  const filled = (source: string): string =>
    readFileSync(join(PACKAGE_FOLDER, 'templates', source), 'utf8').replace(
      /\{\{(\w+)\}\}/g,
      (text, key) => values[key] ?? text,
    );
  const shared = Object.entries(tool.files).map(([path, source]) => [path, filled(join(tool.folder, source))] as const);
  const own = filesIn(name).map((path) => [path, filled(join(name, path))] as const);
  return new Map([['package.json', packageJson(template, values.name!)], ...own, ...shared]);
}

/** Commands with what they do, as a shell takes them. */
export function stepLines(steps: readonly NextStep[]): string[] {
  const width = Math.max(...steps.map(([step]) => step.length));
  return steps.map(([step, what]) => (what === '' ? step : `${step.padEnd(width)}  # ${what}`));
}

function toolOf({ tool }: Template): Tool {
  return TOOLS[tool];
}

/** The paths of a template's own files. */
function filesIn(name: TemplateName): string[] {
  const folder = join(PACKAGE_FOLDER, 'templates', name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')).sort();
}

/** The name of a folder as npm would have it. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
  return name || 'rollouts';
}

function packageJson(template: Template, name: string): string {
  const own = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8'));
  // The releases that this library was tested with.
  const tested = (names: readonly string[]) =>
    Object.fromEntries(names.map((each) => [each, own.devDependencies[each] as string]));
  const { test, scripts, dependencies, devDependencies } = toolOf(template);
  const json = {
    name,
    version: '0.0.0',
    private: true,
    scripts: {
      compile: 'tsc',
      test: [template.pretest ?? [], `node --import tsx --test ${test}`].flat().join(' && '),
      ...scripts(template),
    },
    dependencies: { ...tested(dependencies), [own.name]: `^${own.version}` },
    devDependencies: tested(devDependencies),
    engines: own.engines,
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}
