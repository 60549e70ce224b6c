import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import { admitArgoRollout } from '../../../src/argo/admission/admit';
import { ArgoAlbService, ArgoAlbStrategy } from '../../../src/argo/alb';
import { checkArgoAlb } from '../../../src/argo/rules';
import { ArgoStep, argoAnalysis } from '../../../src/argo/steps';
import type { ObjectRef } from '../../../src/core';
import { objectsOf, worldOf } from './options';

const objects = objectsOf({
  template: undefined,
  workloadRef: { name: 'web' },
  selector: { app: 'web' },
  strategy: ArgoAlbStrategy.canary({
    steps: [
      ArgoStep.analysis(['errors', { templateName: 'latency', clusterScope: true }]),
      ArgoStep.experiment({ templates: [{ name: 'a', specRef: 'canary', weight: 5 }] }),
    ],
    stableService: ArgoAlbService.existing('live'),
  }),
});
const withoutIngress = { ...objects, ingresses: [] };
const EXTERNAL: readonly ObjectRef[] = [
  { kind: 'Service', name: 'live' },
  { kind: 'Ingress', name: 'web', namespace: 'shop' },
  { kind: 'Deployment', apiVersion: 'apps/v1', name: 'web' },
  { kind: 'AnalysisTemplate', name: 'errors' },
  { kind: 'ClusterAnalysisTemplate', apiVersion: 'argoproj.io/v1alpha1', name: 'latency' },
];
const rulesOf = (external: readonly ObjectRef[]) =>
  admissionFindings(worldOf(withoutIngress), { external }).map(({ rule }) => rule);

describe('objects that exist outside of the manifests', () => {
  it('are missed where nothing is said of them', () => {
    expect(rulesOf([]).sort()).toEqual([
      'argo-analysis-template-not-found',
      'argo-analysis-template-not-found',
      'argo-ingress-not-found',
      'argo-service-not-found',
      'argo-workload-ref-unresolved',
    ]);
  });

  it('are not missed where they are named', () => {
    expect(rulesOf(EXTERNAL)).toEqual([]);
    expect(checkArgoAlb(worldOf(withoutIngress), { external: EXTERNAL })).toEqual([]);
  });

  it.each(EXTERNAL.map((ref) => [ref.kind, ref] as const))('are missed one by one: %s', (_, ref) => {
    expect(rulesOf(EXTERNAL.filter((one) => one !== ref))).toHaveLength(1);
    expect(rulesOf([...EXTERNAL.filter((one) => one !== ref), { ...ref, namespace: 'other' }])).toHaveLength(1);
    expect(rulesOf([...EXTERNAL.filter((one) => one !== ref), { ...ref, apiVersion: 'example.com/v1' }])).toHaveLength(
      1,
    );
  });

  it('hide no mistake in what is there', () => {
    const canary = { ...objects.services[0]!, spec: { selector: { app: 'other' }, ports: [{ port: 80 }] } };
    const inline = objectsOf({
      strategy: ArgoAlbStrategy.canary({ steps: [], stableService: ArgoAlbService.existing('live') }),
    });
    const world = worldOf({ ...inline, services: [{ ...canary, metadata: inline.services[0]!.metadata }] as never });
    expect(admissionFindings(world, { external: EXTERNAL }).map(({ rule }) => rule)).toEqual([
      'argo-service-selector-mismatch',
    ]);
  });

  it('let the Rollout in', () => {
    const rollout = objects.rollout as never;
    const cluster = { services: [objects.services[0] as never] };
    expect(admitArgoRollout(rollout, cluster).allowed).toBe(false);
    expect(admitArgoRollout(rollout, { ...cluster, isExternal: () => true }).allowed).toBe(true);
  });

  it('hold for an analysis in the background as well', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: [], analysis: argoAnalysis(['errors']) });
    const world = worldOf(objectsOf({ strategy }));
    expect(admissionFindings(world).map(({ rule }) => rule)).toEqual(['argo-analysis-template-not-found']);
    expect(admissionFindings(world, { external: EXTERNAL })).toEqual([]);
  });
});
