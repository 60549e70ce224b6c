import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './mutants';

/** The recorded answers of the controllers. */
const VECTORS = 'test/conformance/conformance.test.ts';

/** What both controllers have of Kustomize, of merges and of the classes of constructs. */
const OF_CONTROLLERS = ['test/core/kustomize.test.ts', 'test/diff'];
const constructs = (...names: readonly string[]) => names.map((name) => `test/constructs/${name}.test.ts`);

/** The tests that should notice a change of a folder of src. The first that notices it ends the search. */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  argo: [
    ...['test/argo', VECTORS, 'test/rehearsal/argo', 'test/rule-examples.test.ts', ...OF_CONTROLLERS],
    ...constructs('argo-alb-rollout', 'argo-rollouts-install'),
  ],
  check: ['test/check', 'test/rule-examples.test.ts'],
  core: ['test/core', 'test/rule-examples.test.ts'],
  kruise: [
    ...['test/kruise', VECTORS, 'test/rehearsal/stories.test.ts', 'test/rule-examples.test.ts', ...OF_CONTROLLERS],
    ...constructs('gateway-role-binding'),
  ],
  lua: ['test/lua', VECTORS],
  rehearsal: ['test/rehearsal'],
  release: ['test/release', 'test/rehearsal/argo/stories.test.ts'],
  routers: ['test/routers', VECTORS, 'test/rule-examples.test.ts'],
};

/** Tests of how long something takes, and of many objects. They take longest themselves. */
const LONG: readonly string[] = [
  'test/lua/hostile.test.ts',
  'test/rehearsal/scale.test.ts',
  'test/rehearsal/neighbours.test.ts',
];

/** The test files of a folder. */
export function testsOf(folder: string): string[] {
  return SUITES[folder]!.flatMap((path) => {
    if (statSync(join(ROOT, path)).isFile()) return [path];
    return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(path, name))
      .filter((name) => !LONG.includes(name))
      .sort();
  });
}
