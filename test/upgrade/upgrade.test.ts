import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FACT_TEXTS_FILE, factTexts } from '../../scripts/write-fact-texts';
import { parseManifests, World } from '../../src/core';
import { Manifest } from '../../src/core/manifest';
import type { UpgradeReport } from '../../src/core/upgrade-result';
import { upgradeReporters } from '../../src/report/upgrade';
import type { StackCheckOptions } from '../../src/settings/check-options';
import { readRelease, upgrade, versionsOf } from '../../src/upgrade';
import { KRUISE, labWorld, worldOf } from './stacks';

function reportOf(world: World, from: string, to: string, check: StackCheckOptions = {}): UpgradeReport {
  const versions = versionsOf(world, check, [readRelease(from, '--from')], [readRelease(to, '--to')]);
  const steps = upgrade(world, { check, versions });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const rules = (findings: UpgradeReport['appears']) => findings.map(({ rule }) => rule);
const context = { color: false, ascii: false };

describe('an upgrade of Kruise Rollouts', () => {
  const report = reportOf(worldOf(KRUISE), 'kruise=0.5.5', 'kruise=0.6.2');

  it('tells which findings appear and which go', () => {
    expect(rules(report.gone)).toEqual(['rehearsal-canary-too-early', 'field-unknown']);
    expect(rules(report.appears)).toEqual(['rehearsal-match-ignored', 'rehearsal-weight-backwards']);
  });

  it('tells at which moments requests go elsewhere, and where one controller stops', () => {
    const [story] = report.rollouts[0]!.stories;
    expect(story!.moments.map(({ title, only }) => [title, only])).toEqual([
      ['steps[0]: canary pods ready', 'from'],
      ['steps[1]: x-user: 1 or /beta', 'to'],
    ]);
    expect(story!.stops).toMatchObject({ from: { class: 'lua', step: 1 } });
    expect(story!.stops).not.toHaveProperty('to');
    // A request that is answered alike on both sides, at every moment, is no news.
    const shown = story!.moments.flatMap(({ requests }) => requests.map(({ request }) => request.label));
    expect(shown).not.toContain('elsewhere.example.org');
  });

  it('names the differences that these manifests meet, and only counts the others', () => {
    expect(report.facts.map(({ name }) => name)).toEqual([
      'pathAndQueryMatches',
      'api',
      'pinsStableServiceFirst',
      'finalising.success',
      'finalising.rollback',
    ]);
    expect(report.facts[2]).toMatchObject({
      from: false,
      to: true,
      since: '0.6.0',
      rules: ['rehearsal-canary-too-early'],
    });
    expect(report.otherFacts).toBeGreaterThan(5);
  });

  it('names the fields that become available where the stack has the object around them', () => {
    expect(report.fields).toEqual([
      {
        software: 'kruise',
        kind: 'Rollout',
        apiVersion: 'rollouts.kruise.io/v1beta1',
        added: [
          'spec.strategy.canary.steps[*].matches[*].path',
          'spec.strategy.canary.steps[*].matches[*].queryParams',
          'spec.strategy.canary.disableGenerateCanaryService',
          'spec.strategy.blueGreen',
        ],
        removed: [],
        newVersions: [],
      },
    ]);
  });

  it('tells that the built-in script differs', () => {
    expect(report.scripts).toMatchObject([{ name: 'ingress.nginx', from: 'builtin', to: 'builtin' }]);
    expect(report.scripts[0]!.lines.added).toBeGreaterThan(0);
  });

  it('tells the opposite of the way back', () => {
    const back = reportOf(worldOf(KRUISE), 'kruise=0.6.2', 'kruise=0.5.5');
    expect(rules(back.appears)).toEqual(rules(report.gone));
    expect(rules(back.gone)).toEqual(rules(report.appears));
    expect(back.facts.map(({ name }) => name)).toEqual(report.facts.map(({ name }) => name));
    expect(back.fields[0]).toMatchObject({ added: [], removed: ['spec.strategy.canary.steps[*].matches[*].path'] });
  });

  it('has nothing to tell of releases that do the same', () => {
    const same = reportOf(worldOf(KRUISE), 'kruise=0.5.1', 'kruise=0.5.3');
    expect(same).toMatchObject({
      appears: [],
      gone: [],
      rollouts: [],
      facts: [],
      otherFacts: 0,
      fields: [],
      scripts: [],
    });
    expect(same.stays).toBeGreaterThan(0);
  });

  it('tells what the controller writes otherwise', () => {
    const next = reportOf(labWorld('kruise', '0.5.5', 'canary-patched-selector'), 'kruise=0.5.5', 'kruise=0.6.2');
    const [story] = next.rollouts[0]!.stories;
    const paths = story!.writes.map(({ object, fields }) => [object.kind, fields.map(({ path }) => path)]);
    expect(paths).toContainEqual(['Service', expect.arrayContaining([expect.stringMatching(/^spec\.selector/)])]);
    expect(next.facts.map(({ name }) => name)).toContain('patchesCanaryServiceSelector');
  });
});

describe('an upgrade of Argo Rollouts', () => {
  it('tells which requests fail no more, and the fact behind it', () => {
    const report = reportOf(labWorld('argo', '1.9.1', 'alb-header-first'), 'argo=1.7.2', 'argo=1.9.1');
    expect(report.facts.map(({ name }) => name)).toContain('removesRoutesWithoutPods');
    expect(report.rollouts).toHaveLength(1);
  });
});

describe('an upgrade of Kubernetes', () => {
  it('tells which APIs end', () => {
    const budget = Manifest.of({
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    const report = reportOf(World.of([budget]), 'kubernetes=1.24', 'kubernetes=1.25');
    expect(rules(report.appears)).toEqual(['kubernetes-api-removed']);
  });
});

describe('an upgrade of ingress-nginx', () => {
  it('tells that the canary gets nothing from 1.12 on', () => {
    const text = KRUISE.replace(
      /steps:[\s\S]*/,
      `steps:
        - {matches: [{headers: [{name: x-user, value: 'a@b'}]}], replicas: 1, pause: {}}
        - {traffic: 100%, replicas: 100%}
`,
    );
    const report = reportOf(worldOf(text), 'ingress-nginx=1.11.5', 'ingress-nginx=1.12.0');
    expect(report.facts.map(({ name, from, to, since }) => [name, from, to, since])).toEqual([
      ['annotationValidation', false, true, '1.12.0'],
    ]);
    expect(rules(report.appears)).toContain('rehearsal-canary-gets-nothing');
    expect(report.rollouts).toHaveLength(1);
  });
});

describe('an upgrade of Istio', () => {
  it('is tried at the release that changed a fact', () => {
    const text = `apiVersion: env.alibaba.com/v1alpha2
kind: VirtualEnvironment
metadata: {name: web, namespace: shop}
spec: {envHeader: {name: x-env, autoInject: true}, envLabel: {name: env}}
`;
    const report = reportOf(worldOf(text), 'istio=1.18', 'istio=1.24');
    expect(report.facts.map(({ name, since }) => [name, since])).toContainEqual(['takesAutoInject', '1.19.0']);
    expect(report.appears.length).toBeGreaterThan(0);
  });
});

describe('releases that are compared', () => {
  const world = worldOf(KRUISE);
  const versions = (from: string[], to: string[], stated: StackCheckOptions = {}) =>
    versionsOf(
      world,
      stated,
      from.map((text) => readRelease(text, '--from')),
      to.map((text) => readRelease(text, '--to')),
    );

  it('are never guessed', () => {
    expect(() => versions([], ['kruise=0.6.2'])).toThrow(/nobody says which release of Kruise Rollouts runs now/);
  });

  it('come from an install in the stack', () => {
    const install = parseManifests(
      `apiVersion: apps/v1
kind: Deployment
metadata: {name: kruise-rollout-controller-manager, namespace: kruise-rollout}
spec:
  selector: {matchLabels: {app: kruise}}
  template:
    metadata: {labels: {app: kruise}}
    spec: {containers: [{name: manager, image: openkruise/kruise-rollout:v0.5.5, command: [/manager]}]}
`,
      'install.yaml',
    );
    const { from } = versionsOf(World.of(install.manifests), {}, [], [readRelease('kruise=0.6', '--to')]);
    expect(from.kruiseVersion?.version).toBe('0.5.5');
    expect(rules(reportOf(World.of(install.manifests), 'kruise=0.5.5', 'kruise=0.6.2').appears)).not.toContain(
      'controller-version-contradicted',
    );
  });

  it('must be known, each once, and be a pair', () => {
    expect(() => versions(['kruise=0.5'], ['kruise=9.9'])).toThrow(/--to kruise is "9.9"/);
    expect(() => versions(['kruise=0.5'], ['kruise=0.6', 'kruise=0.6.1'])).toThrow(/--to names kruise twice/);
    expect(() => versions(['argo=1.8'], ['kruise=0.6'])).toThrow(/--from names argo, and --to does not/);
    expect(() => readRelease('kriuse=0.6', '--to')).toThrow(/did you mean "kruise=0.6"/);
    expect(() => readRelease('0.6', '--to')).toThrow(/--to is "0.6"/);
  });
});

describe('reports of an upgrade', () => {
  const report = reportOf(
    worldOf(KRUISE.replace('value: "1"', 'value: "<script>alert(1)</script>"')),
    'kruise=0.5.5',
    'kruise=0.6.2',
  );

  it('let no text of a manifest into the page', () => {
    const page = upgradeReporters.html(report);
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).not.toContain('<script>');
    expect(page).toContain('Kruise Rollouts 0.5.5 → 0.6.2');
  });

  it('say the same in each format', () => {
    const text = upgradeReporters.pretty(report, context);
    const table = upgradeReporters.markdown(report, context);
    const json = JSON.parse(upgradeReporters.json(report, context));
    expect(text).toContain('1 new error, 1 new warning, 2 gone');
    expect(table).toContain('1 new error, 1 new warning, 2 gone');
    expect(json).toMatchObject({ ok: false, releases: [{ software: 'kruise', from: '0.5.5', to: '0.6.2' }] });
    expect(json.findings.appears).toHaveLength(2);
  });
});

describe('the facts by release', () => {
  it('have up-to-date texts', () => {
    expect(readFileSync(FACT_TEXTS_FILE, 'utf8'), 'run: npm run schemas').toBe(factTexts());
  });

  it.each(['canary-istio', 'canary-mse'])('can each be tried among those of another release: %s', (lab) => {
    // Facts together that no release has must not end in an error.
    const report = reportOf(labWorld('kruise', '0.5.5', lab), 'kruise=0.3.0', 'kruise=0.6.2');
    expect(report.facts.length).toBeGreaterThan(0);
  });
});
