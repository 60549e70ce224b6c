/** What a merged change does to Rollouts of Argo: the whole effect, with its place. */
import { describe, expect, it } from 'vitest';
import { type MergeOptions, mergeEffects } from '../../src/argo/merge';
import { ArgoRolloutsVersion } from '../../src/argo/version';
import { parseManifests, World } from '../../src/core';

interface Parts {
  readonly image?: string;
  readonly steps?: string;
  readonly strategy?: string;
  readonly more?: string;
  readonly ref?: string;
  readonly namespace?: string;
}

const POD = (image: string) => `{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "${image}"}]}}`;

function rollout({
  image = 'web:1',
  steps = '[{setWeight: 20}]',
  strategy,
  more = '',
  ref,
  namespace = 'shop',
}: Parts): string {
  const pods =
    ref === undefined
      ? `template: ${POD(image)}`
      : `workloadRef: {apiVersion: apps/v1, kind: Deployment, name: ${ref}}`;
  return `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: web}}
  ${pods}
  strategy: ${strategy ?? `{canary: {steps: ${steps}}}`}
${more}`;
}
const deployment = (image: string, name = 'web') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template: ${POD(image)}
`;

function effects(before: string, after: string, options: MergeOptions = {}) {
  const worldOf = (text: string) => World.of(parseManifests(text, 'web.yaml').manifests);
  return mergeEffects(worldOf(before), worldOf(after), options).map(
    ({ kind, severity, message, object, path, source }) =>
      [
        `${severity} ${kind}`,
        `${object?.kind} ${object?.name}${path === undefined ? '' : ` ${path}`} at line ${source?.line}`,
        message.replace('Rollout shop/web', 'it'),
      ].join(' | '),
  );
}

const IMAGE = 'template.spec.containers[0].image';

describe('a Rollout', () => {
  it('that is the same has no effect', () => {
    expect(effects(rollout({}), rollout({}))).toEqual([]);
    expect(effects(rollout({}), rollout({ more: '  replicas: 9\n' }))).toEqual([]);
  });

  it('with other pods starts a release of its steps', () => {
    const started = (steps: string) => effects(rollout({ steps }), rollout({ steps, image: 'web:2' }))[0]!.split(' | ');
    expect(started('[{setWeight: 20}]').slice(0, 2)).toEqual([
      'note starts-release',
      `Rollout web spec.${IMAGE} at line 6`,
    ]);
    expect(started('[{setWeight: 20}]')[2]).toMatch(/^a release of 1 step starts: it gets new pods \(.*\)$/);
    expect(started('[{setWeight: 20}, {pause: {}}]')[2]).toMatch(/^a release of 2 steps starts/);
    expect(started('[]')[2]).toMatch(/^a release of 0 steps starts/);
    const strategy = '{blueGreen: {activeService: web}}';
    const blueGreen = effects(rollout({ strategy }), rollout({ strategy, image: 'web:2' }));
    expect(blueGreen[0]).toContain('| a blue-green release starts');
  });

  it('that is paused waits with its release', () => {
    const paused = (value: boolean) =>
      effects(rollout({}), rollout({ image: 'web:2', more: `  paused: ${value}\n` }))[0]!;
    expect(paused(true)).toMatch(/; it waits, because spec\.paused is true$/);
    expect(paused(false)).not.toContain('it waits');
  });

  it('with other steps begins again at the first one, unless it has none', () => {
    const steps = '[{setWeight: 30}]';
    expect(effects(rollout({}), rollout({ steps }))).toEqual([
      'note reroutes | Rollout web spec.strategy.canary.steps at line 7 | the steps of it change: a release in progress begins again at its first step',
    ]);
    expect(effects(rollout({}), rollout({ steps, image: 'web:2' }))).toHaveLength(1);
  });

  it('warns of what ends a release in progress for all users', () => {
    const all = 'all users get the new version of a release in progress at once';
    const place = 'warning ends-release | Rollout web spec.strategy';
    expect(effects(rollout({}), rollout({ steps: '[]' }))).toEqual([
      `${place}.canary at line 7 | it has no steps any more: ${all}`,
    ]);
    const green = (fields: string) => rollout({ strategy: `{blueGreen: {activeService: web${fields}}}` });
    const waiting = rollout({ steps: '[{setWeight: 20}, {pause: {}}]' });
    expect(effects(waiting, green(', autoPromotionEnabled: false'))).toEqual([
      `${place}.blueGreen at line 7 | it becomes blue-green: ${all}`,
    ]);
    expect(effects(waiting, green(', previewReplicaCount: 1'))).toEqual([]);
    expect(effects(rollout({}), green(''))).toEqual([]);
    const manual = green(', autoPromotionEnabled: false');
    expect(effects(manual, green(', autoPromotionEnabled: true'))).toEqual([
      `${place}.blueGreen.autoPromotionEnabled at line 7 | it promotes by itself from now on: ${all}`,
    ]);
    expect(effects(manual, green(', autoPromotionSeconds: 30'))).toEqual([]);
    const moved = (fields: string) =>
      effects(green(', previewService: next'), rollout({ strategy: `{blueGreen: ${fields}}` }));
    expect(moved('{activeService: other}')).toEqual([
      `${place}.blueGreen.activeService at line 7 | it gets another activeService, "other": ${all}`,
    ]);
    expect(moved('{activeService: next, previewService: web}')).toEqual([]);
    expect(effects(green(''), green(', autoPromotionEnabled: true'))).toEqual([]);
  });

  it('with another image and another number of pods says what that is in the middle of a release', () => {
    const routed = '{canary: {trafficRouting: {alb: {ingress: web}}, steps: [{setWeight: 25}]}}';
    const scaled = (strategy: string | undefined, version: string) => {
      const after = rollout({ image: 'web:2', strategy, more: '  replicas: 8\n' });
      const before = rollout({ strategy, more: '  replicas: 4\n' });
      return effects(before, after, { argoVersion: ArgoRolloutsVersion.of(version) }).slice(1);
    };
    const place =
      'note reroutes | Rollout web spec.replicas at line 8 | the number of pods of it changes with them, from 4 to 8: ';
    const fewest = 'if this goes back to the version before a release in progress, it keeps as few as 2 pods at first';
    expect(scaled(routed, '1.10.2')).toEqual([`${place}${fewest}`]);
    expect(scaled(routed, '1.8.5')).toEqual([`${place}${fewest}, and after an abort the roll-back never ends`]);
    const waits = `${place}in the middle of a release, the controller waits for ever`;
    expect(scaled(routed, '1.7.2')).toEqual([waits]);
    const blueGreen = '{blueGreen: {activeService: web}}';
    expect(scaled(blueGreen, '1.7.2')).toEqual([waits]);
    expect(scaled(blueGreen, '1.8.0')).toEqual([]);
    expect(scaled(undefined, '1.7.2')).toEqual([]);
  });

  it('of a Deployment starts a release with its pods, which are named there', () => {
    const all = (image: string) => `${rollout({ ref: 'web' })}${deployment(image)}`;
    expect(effects(all('web:1'), all('web:2'))[0]).toMatch(
      /^note starts-release \| Deployment web spec\.template\.spec\.containers\[0\]\.image at line 14 \| /,
    );
    expect(effects(all('web:1'), all('web:1'))).toEqual([]);
  });

  it('that goes takes its pods with it', () => {
    expect(effects(rollout({}), deployment('web:1'))).toEqual([
      'warning ends-release | Rollout web at line 1 | it goes, and its pods with it',
    ]);
    // One of the same name in another namespace is another one.
    expect(effects(rollout({}), rollout({ namespace: 'pay' })).map((line) => line.split(' | ')[0])).toEqual([
      'note no-release',
      'warning ends-release',
    ]);
  });
});

describe('a new Rollout', () => {
  const first = 'it is new: its first pods come at once, without steps';

  it('starts its pods without steps', () => {
    expect(effects('', rollout({}))).toEqual([`note no-release | Rollout web at line 1 | ${first}`]);
    expect(effects(deployment('web:1'), rollout({}))).toEqual([`note no-release | Rollout web at line 1 | ${first}`]);
    expect(effects(deployment('web:1', 'other'), rollout({ image: 'web:2' }))).toEqual([
      `note no-release | Rollout web at line 1 | ${first}`,
    ]);
  });

  it('has other pods than the Deployment that it takes over from: they come at once too', () => {
    const [own, ...others] = effects(deployment('web:1'), rollout({ image: 'web:2' }));
    expect(others).toEqual([]);
    expect(own).toMatch(
      /^warning no-canary \| Rollout web spec\.template\.spec\.containers\[0\]\.image at line 6 \| it is new: .*, and they differ from those of Deployment shop\/web \(.*\)$/,
    );
    const referred = `${rollout({ ref: 'api' })}${deployment('web:2', 'api')}`;
    expect(effects(deployment('web:1', 'api'), referred)[0]).toMatch(
      /^warning no-canary \| Deployment api spec\.template\.spec\.containers\[0\]\.image at line 14 \| /,
    );
  });
});
