import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PACKAGE_FOLDER } from '../../files/package';

/** What `init` can write, by name. */
export const TEMPLATES = {
  'kruise-alb': {
    summary: 'canaries of OpenKruise Rollouts behind a load balancer of AWS',
    preview: 'rollout-constructs rehearse dist',
  },
  'argo-alb': {
    summary: 'canaries of Argo Rollouts behind a load balancer of AWS',
    preview: 'rollout-constructs rehearse dist',
  },
  ktenv: {
    summary: 'virtual environments of KtEnv on Istio',
    preview: 'rollout-constructs env preview dist',
  },
} as const;

export type TemplateName = keyof typeof TEMPLATES;

/** Where each file of an app goes. Those with a dot would be left out of, or change, the package of this library. */
const FILES: Readonly<Record<string, string>> = {
  'main.ts': '{template}/main.ts',
  'README.md': '{template}/README.md',
  'cdk8s.yaml': 'app/cdk8s.yaml',
  'tsconfig.json': 'app/tsconfig.json',
  'rollout-constructs.config.yaml': 'app/rollout-constructs.config.yaml',
  '.gitignore': 'app/gitignore',
  '.gitlab-ci.yml': 'app/gitlab-ci.yaml',
  '.github/workflows/check.yaml': 'app/github-workflow.yaml',
};

/** The files of a new app, by their paths in it. */
export function appFiles(template: TemplateName, folder: string): ReadonlyMap<string, string> {
  const name = packageName(folder);
  const files = Object.entries(FILES).map(([path, source]): [string, string] => {
    const text = readFileSync(join(PACKAGE_FOLDER, 'templates', source.replace('{template}', template)), 'utf8');
    return [path, text.replaceAll('{{name}}', name)];
  });
  return new Map([['package.json', packageJson(template, name)], ...files]);
}

/** The name of a folder as npm would have it. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
  return name || 'rollouts';
}

function packageJson(template: TemplateName, name: string): string {
  const own = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8'));
  // The releases that this library was tested with.
  const tested = (names: readonly string[]) =>
    Object.fromEntries(names.map((each) => [each, own.devDependencies[each] as string]));
  const json = {
    name,
    version: '0.0.0',
    private: true,
    scripts: {
      compile: 'tsc',
      synth: 'cdk8s synth --check-upgrade=false',
      check: 'rollout-constructs check',
      preview: TEMPLATES[template].preview,
      build: 'npm run compile && npm run synth && npm run check',
    },
    dependencies: { ...tested(['cdk8s', 'constructs']), [own.name]: `^${own.version}` },
    devDependencies: tested(['@types/node', 'cdk8s-cli', 'tsx', 'typescript']),
    engines: own.engines,
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}
