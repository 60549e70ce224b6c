import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ImportedProgram, importProgram } from '../../src/synthesis';
import { EXAMPLES as ALL, printedExamples } from '../printed-examples';
import { HAND_WRITTEN, NO_CONSTRUCTS, ODD_OBJECTS, ON_AN_ALB } from './fixtures';
import { compile, differencesBetween, manifestsOf, projectOf } from './projects';

/** Megabytes of CRDs, which show nothing that the smaller installs do not. */
const LARGE = ['argo-install.ts', 'argo-verification.ts'];

const EXAMPLES = ALL.filter((name) => !LARGE.includes(name));

const WRITTEN: Readonly<Record<string, string>> = {
  'odd-objects': ODD_OBJECTS,
  'hand-written': HAND_WRITTEN,
  'no-constructs': NO_CONSTRUCTS,
  'on-an-alb': ON_AN_ALB,
};

const NAMES = [...Object.keys(WRITTEN), ...EXAMPLES.map((name) => name.replace(/\.ts$/, ''))];

/** The constructs that write the objects of each input; the rest stays as it is. */
const CONSTRUCTS: Readonly<Record<string, readonly string[]>> = {
  'odd-objects': [],
  'hand-written': ['KruiseRollout', 'KruiseTrafficRouting'],
  'no-constructs': [],
  'on-an-alb': ['AlbCanaryIngress', 'AlbIngressClass', 'LuaRoutingConfigMap'],
  'kruise-install': ['GatewayRoleBinding', 'KruiseRolloutInstall', 'LuaRoutingConfigMap'],
  'kruise-existing-install': ['GatewayRoleBinding'],
  'kruise-rollout': ['KruiseRollout'],
  'kruise-rollout-istio': ['KruiseRollout'],
  'kruise-traffic-routing': ['KruiseRollout', 'KruiseTrafficRouting'],
  'aws-alb-canary': ['AlbCanaryIngress', 'KruiseRollout', 'LuaRoutingConfigMap'],
  'argo-basic': ['ArgoAlbRollout'],
  'argo-blue-green': ['ArgoAlbRollout'],
  'argo-header-route': ['ArgoAlbRollout'],
  'argo-migration': ['ArgoAlbRollout'],
  'argo-ping-pong': ['ArgoAlbRollout'],
  'argo-two-albs': ['ArgoAlbRollout'],
  'ktenv-environments': ['KtEnvInstall'],
};

describe('the program of an import', () => {
  const inputs = new Map<string, string>();
  const imported = new Map<string, ImportedProgram>();
  let folder: string;
  let ran: ReturnType<typeof runAll>;

  beforeAll(() => {
    const printed = printedExamples();
    for (const [name, text] of Object.entries(WRITTEN)) inputs.set(name, text);
    for (const name of EXAMPLES) inputs.set(name.replace(/\.ts$/, ''), printed[name]!.stdout);
    for (const [name, text] of inputs) {
      imported.set(name, importProgram(manifestsOf(text), { target: 'cdk8s', inputs: [`${name}.yaml`] }));
    }
    folder = projectOf(Object.fromEntries([...imported].map(([name, { text }]) => [name, text])));
  });

  it('compiles', () => {
    expect(compile(folder, NAMES)).toEqual([]);
    ran = runAll(folder, NAMES);
  });

  it.each(NAMES)('%s synthesises to the same objects', (name) => {
    expect(ran.stderr).not.toContain('Error');
    const file = join(folder, name, 'dist', 'imported.k8s.yaml');
    expect(existsSync(file), ran.stderr).toBe(true);
    const written = manifestsOf(readFileSync(file, 'utf8')).map(({ object }) => object);
    const input = manifestsOf(inputs.get(name)!);
    expect(written.length).toBe(input.length);
    expect(differencesBetween(input, written)).toEqual([]);
  });

  it.each(Object.entries(CONSTRUCTS))('%s has its constructs', (name, constructs) => {
    const { plan } = imported.get(name)!;
    const classes = plan.statements.map((statement) => statement.class).filter((each) => each !== 'ApiObject');
    expect([...new Set(classes)].sort()).toEqual(constructs);
  });

  it('says what differs where an object has no construct', () => {
    const said = [...imported.get('no-constructs')!.fallbacks, ...imported.get('on-an-alb')!.fallbacks];
    expect(said.map(({ manifest, construct, reasons }) => `${manifest.name}: ${construct}: ${reasons}`)).toEqual([
      expect.stringMatching(/^explicit: KruiseRollout: spec\.strategy\.canary\.enableExtraWorkloadForCanary is false/),
      expect.stringMatching(/^unknown: KruiseRollout: the API does not have it like this: .*wait/),
      expect.stringMatching(/^old: KruiseRollout: KruiseRollout writes rollouts.kruise.io\/v1beta1/),
      expect.stringMatching(
        /^by-hand: AlbCanaryIngress: metadata\.annotations\["alb\.ingress.*actions\.web"\] is the same JSON/,
      ),
    ]);
  });

  it('is the same each time', () => {
    const again = importProgram(manifestsOf(HAND_WRITTEN), { target: 'cdk8s', inputs: ['hand-written.yaml'] });
    expect(again.text).toBe(imported.get('hand-written')!.text);
  });
});

/** Runs every program in its folder, all in one process. */
function runAll(folder: string, names: readonly string[]) {
  const script = `for (const name of ${JSON.stringify(names)}) {
    process.chdir(require('node:path').join(${JSON.stringify(folder)}, name));
    try { require(process.cwd() + '/main.js'); } catch (error) { console.error('Error in ' + name + ': ' + error.stack); }
  }`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
}
