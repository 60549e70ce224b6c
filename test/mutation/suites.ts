import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './mutants';

/** The recorded answers of the controllers. */
const VECTORS = 'test/conformance/conformance.test.ts';

/** What every rule says, and what its examples show. */
const RULES = ['test/rule-pages.test.ts', 'test/rule-examples.test.ts'];

/** What one release of a controller did, of all the recordings of the stage. */
const recorded = (release: string) => `test/stage/recordings.test.ts#${release}`;

/** What a stack of these constructs is and what is said of it. */
const ofConstructs = (...names: readonly string[]) => names.map((name) => `test/constructs/${name}.test.ts`);

/** What both controllers have of Kustomize and of merges. */
const OF_CONTROLLERS = ['test/core/kustomize.test.ts', 'test/diff'];

/** The tests that should notice a change of a folder of src. The first that notices it ends the search. */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  argo: ['test/argo', VECTORS, recorded('argo@1.9.1'), 'test/rehearsal/argo', ...RULES, ...OF_CONTROLLERS],
  check: ['test/check', ...RULES],
  core: ['test/core', ...RULES],
  kruise: [
    'test/kruise',
    VECTORS,
    recorded('kruise@0.6.2'),
    'test/rehearsal/stories.test.ts',
    'test/rehearsal/unsent.test.ts',
    'test/rehearsal/refused.test.ts',
    'test/rehearsal/unreachable.test.ts',
    'test/rehearsal/controller.test.ts',
    'test/rehearsal/document-000.test.ts',
    ...ofConstructs('kruise-rollout', 'kruise-rollout-install', 'lua-routing-config-map', 'gateway-role-binding'),
    ...ofConstructs('alb-canary-ingress', 'aliyun-alb-canary-ingress'),
    ...RULES,
    ...OF_CONTROLLERS,
  ],
  lua: ['test/lua', VECTORS],
  rehearsal: ['test/rehearsal', 'test/rule-pages.test.ts'],
  release: ['test/release', 'test/rehearsal/argo/stories.test.ts'],
  routers: ['test/routers', VECTORS, ...RULES],
};

/** Tests of how long something takes, and of many objects. They take longest themselves. */
const LONG: readonly string[] = [
  'test/lua/hostile.test.ts',
  'test/rehearsal/scale.test.ts',
  'test/rehearsal/neighbours.test.ts',
];

/** The test files of a folder; behind a `#` the suite that is meant. */
export function testsOf(folder: string): string[] {
  return SUITES[folder]!.flatMap((path) => {
    if (statSync(join(ROOT, path.split('#')[0]!)).isFile()) return [path];
    return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(path, name))
      .filter((name) => !LONG.includes(name))
      .sort();
  });
}
