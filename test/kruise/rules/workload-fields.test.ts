import { describe, expect, it } from 'vitest';
import { World } from '../../../src/core';
import { Manifest } from '../../../src/core/manifest';
import { checkKruise } from '../../../src/kruise/check';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { deployment, object, rollout, service } from './stack';

type Json = Readonly<Record<string, unknown>>;

const RULES =
  /^kruise-(release-id-kept|in-progressing-authored|workload-(paused|recreate|on-delete)|pod-template-hash)$/;

/** The rules of this file that a stack breaks, with their severity. */
function broken(workload: object, options: object = {}, version = KruiseRolloutVersion.LATEST): string[] {
  return brokenIn([rollout(options), workload, service()], version);
}

function brokenIn(objects: readonly object[], version = KruiseRolloutVersion.LATEST): string[] {
  return checkKruise(World.of(objects.map((each) => Manifest.of(each as never))), { version })
    .filter(({ rule }) => RULES.test(rule))
    .map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
}

function changed({ spec = {}, metadata = {} }: { readonly spec?: Json; readonly metadata?: Json }): object {
  const whole = deployment() as { readonly metadata: Json; readonly spec: Json };
  return { ...whole, metadata: { ...whole.metadata, ...metadata }, spec: { ...whole.spec, ...spec } };
}

const STYLES: readonly object[] = [{}, { strategy: { enableExtraWorkloadForCanary: false } }, { blueGreen: true }];
const RECREATE = { strategy: { type: 'Recreate' } };

describe('what a manifest says of its workload', () => {
  it('is nothing in a plain one', () => {
    for (const style of STYLES) expect(broken(deployment(), style)).toEqual([]);
    expect(broken(changed({ spec: { paused: false, strategy: { type: 'RollingUpdate' } } }))).toEqual([]);
  });

  it('is told of a live object only where it is not the controller that has written it', () => {
    const live = { resourceVersion: '7', annotations: { 'rollouts.kruise.io/in-progressing': '{}' } };
    expect(broken(changed({ spec: { paused: true }, metadata: live }))).toEqual([]);
  });

  it('is an outage at the end of canary style where pods are recreated', () => {
    expect(broken(changed({ spec: RECREATE }))).toEqual(['error kruise-workload-recreate spec.strategy.type']);
    expect(broken(changed({ spec: RECREATE }), { blueGreen: true })).toEqual([
      'warning kruise-workload-recreate spec.strategy.type',
    ]);
  });

  it('hides the version of its pods in blue-green style, since release 0.6.1', () => {
    const hidden = changed({
      spec: { template: { metadata: { labels: { app: 'web', 'pod-template-hash': 'mine' } } } },
    });
    const FOUND = ['error kruise-pod-template-hash spec.template.metadata.labels.pod-template-hash'];
    const of = (style: object, release: string) => broken(hidden, style, KruiseRolloutVersion.of(release));
    expect(of({ blueGreen: true }, '0.6.2')).toEqual(FOUND);
    expect(of({ blueGreen: true }, '0.6.1')).toEqual(FOUND);
    expect(of({ blueGreen: true }, '0.6.0')).toEqual([]);
    expect(of({}, '0.6.2')).toEqual([]);
  });

  it('keeps a StatefulSet and a DaemonSet without a release', () => {
    const OnDelete = { updateStrategy: { type: 'OnDelete' } };
    for (const [apiVersion, kind] of [
      ['apps/v1', 'StatefulSet'],
      ['apps.kruise.io/v1beta1', 'StatefulSet'],
      ['apps.kruise.io/v1alpha1', 'DaemonSet'],
    ] as const) {
      const options = { workloadRef: { apiVersion, kind, name: 'web' } };
      expect(broken(object(apiVersion, kind, OnDelete), options)).toEqual([
        'error kruise-workload-on-delete spec.updateStrategy.type',
      ]);
    }
  });

  it('is not told of a disabled Rollout', () => {
    const { spec, ...rest } = rollout() as { readonly spec: Json };
    const disabled = { ...rest, spec: { ...spec, disabled: true } };
    expect(brokenIn([disabled, changed({ spec: RECREATE }), service()])).toEqual([]);
  });
});
