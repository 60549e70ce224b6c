/** A small Kustomize renames examples in which each name says what it is the name of. */
import { expect, it } from 'vitest';
import { ArgoGitOps } from '../../src/constructs';
import { asObject, type Json, type JsonObject } from '../../src/core/json';
import type { KustomizeFieldSpec } from '../../src/core/kustomize';

const CONFIGURATION = ArgoGitOps.kustomizeConfiguration();

/** The values at a path, which goes through every item of a list. */
function valuesAt(value: Json | undefined, path: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return value === undefined ? [] : [value];
  return valuesAt(asObject(value)[key], rest);
}

const isOf = ({ group, kind }: KustomizeFieldSpec, object: JsonObject) =>
  (kind === undefined || kind === object.kind) &&
  (group === undefined || String(object.apiVersion).startsWith(`${group}/`));

/** The names that Kustomize finds in an object, by what they name: `Service canary`. */
function foundIn(object: JsonObject): string[] {
  return CONFIGURATION.nameReference
    .flatMap(({ kind, fieldSpecs }) =>
      fieldSpecs
        .filter((spec) => isOf(spec, object))
        .flatMap(({ path }) => valuesAt(object, path.split('/')))
        .map((name) => `${kind} ${name}`),
    )
    .sort();
}

/** What all texts of an object say that begin with a kind: they are names of it. */
function namesIn(value: Json): string[] {
  if (typeof value === 'string') return value.includes('@') ? [value.replace('@', ' ')] : [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return Object.values(asObject(value)).flatMap(namesIn).sort();
}

const container = (place: string): JsonObject => ({
  env: [
    { valueFrom: { configMapKeyRef: { name: `ConfigMap@${place}-key`, key: 'a' } } },
    { valueFrom: { secretKeyRef: { name: `Secret@${place}-key`, key: 'a' } } },
  ],
  envFrom: [{ configMapRef: { name: `ConfigMap@${place}-all` } }, { secretRef: { name: `Secret@${place}-all` } }],
});
const analysis = (place: string): JsonObject => ({ templates: [{ templateName: `AnalysisTemplate@${place}` }] });
const ARGO = 'argoproj.io/v1alpha1';

const EXAMPLES: readonly JsonObject[] = [
  {
    apiVersion: ARGO,
    kind: 'Rollout',
    spec: {
      workloadRef: { name: 'Deployment@workload' },
      template: {
        spec: {
          serviceAccountName: 'ServiceAccount@pod',
          imagePullSecrets: [{ name: 'Secret@pull' }],
          volumes: [
            { configMap: { name: 'ConfigMap@volume' } },
            { secret: { secretName: 'Secret@volume' } },
            { persistentVolumeClaim: { claimName: 'PersistentVolumeClaim@volume' } },
            {
              projected: { sources: [{ configMap: { name: 'ConfigMap@part' } }, { secret: { name: 'Secret@part' } }] },
            },
          ],
          containers: [container('one'), container('two')],
          initContainers: [container('init')],
          ephemeralContainers: [container('debug')],
        },
      },
      strategy: {
        canary: {
          stableService: 'Service@stable',
          canaryService: 'Service@canary',
          pingPong: { pingService: 'Service@ping', pongService: 'Service@pong' },
          analysis: analysis('background'),
          steps: [
            { analysis: analysis('step') },
            { experiment: { analyses: [{ templateName: 'AnalysisTemplate@experiment' }] } },
          ],
          trafficRouting: {
            alb: { ingress: 'Ingress@alb', ingresses: ['Ingress@alb-1', 'Ingress@alb-2'], rootService: 'Service@root' },
            nginx: { stableIngress: 'Ingress@nginx', stableIngresses: ['Ingress@nginx-1'] },
            istio: {
              virtualService: { name: 'VirtualService@one' },
              virtualServices: [{ name: 'VirtualService@several' }],
              destinationRule: { name: 'DestinationRule@rule' },
            },
            traefik: { weightedTraefikServiceName: 'TraefikService@weighted' },
          },
        },
        blueGreen: {
          activeService: 'Service@active',
          previewService: 'Service@preview',
          prePromotionAnalysis: analysis('before'),
          postPromotionAnalysis: analysis('after'),
        },
      },
    },
  },
  { apiVersion: ARGO, kind: 'Experiment', spec: { analyses: [{ templateName: 'AnalysisTemplate@experiment' }] } },
  ...['AnalysisTemplate', 'ClusterAnalysisTemplate'].map((kind) => ({
    apiVersion: ARGO,
    kind,
    spec: {
      templates: [{ templateName: 'AnalysisTemplate@other' }],
      args: [{ valueFrom: { secretKeyRef: { name: 'Secret@argument' } } }],
    },
  })),
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: { scaleTargetRef: { name: 'Rollout@scaled' } },
  },
];

it.each(EXAMPLES)(
  'every name in an object of kind $kind is found as the name of its kind, and nothing else is',
  (object) => {
    // A template may be of either kind.
    const expected = namesIn(object).flatMap((name) =>
      name.startsWith('Analysis') ? [name, `Cluster${name}`] : [name],
    );
    const found = foundIn(object).map((name) => name.replace(/^(\S+) \w+@/, '$1 '));
    expect(found).toEqual(expected.sort());
  },
);

it('labels and annotations reach pods, labels of selectors too, and a number of replicas the Rollout', () => {
  const { nameReference: _, ...others } = CONFIGURATION;
  const rollout = { group: 'argoproj.io', kind: 'Rollout', create: true };
  expect(others).toStrictEqual({
    commonLabels: [
      { ...rollout, path: 'spec/selector/matchLabels' },
      { ...rollout, path: 'spec/template/metadata/labels' },
    ],
    labels: [{ ...rollout, path: 'spec/template/metadata/labels' }],
    commonAnnotations: [{ ...rollout, path: 'spec/template/metadata/annotations' }],
    replicas: [{ ...rollout, path: 'spec/replicas' }],
  });
});

it('names of objects of other groups are told apart', () => {
  const groups = CONFIGURATION.nameReference.map(({ group, kind }) => [kind, group]);
  expect(groups).toEqual([
    ['Service', undefined],
    ['Ingress', 'networking.k8s.io'],
    ['VirtualService', 'networking.istio.io'],
    ['DestinationRule', 'networking.istio.io'],
    ['TraefikService', undefined],
    ['Deployment', 'apps'],
    ['AnalysisTemplate', 'argoproj.io'],
    ['ClusterAnalysisTemplate', 'argoproj.io'],
    ['Rollout', 'argoproj.io'],
    ['ConfigMap', undefined],
    ['Secret', undefined],
    ['ServiceAccount', undefined],
    ['PersistentVolumeClaim', undefined],
  ]);
});
