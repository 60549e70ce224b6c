/** Checks the annotations of a Rollout, and a field that only works with an annotation. */
import { didYouMean } from '../../core/did-you-mean';
import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import {
  API_GROUP,
  ORIGINAL_SPEC_ANNOTATION,
  ROLLBACK_IN_BATCH_ANNOTATION,
  ROLLING_STYLE_ANNOTATION,
  TRAFFIC_ROUTING_ANNOTATION,
} from '../api';
import type { RolloutSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';
import { listed, type RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';

const METADATA = 'metadata: { name: web, namespace: shop }';
const annotated = (annotation: string) =>
  `metadata:\n  name: web\n  namespace: shop\n  annotations: { ${annotation} }` as const;
const ROUTES = '      trafficRoutings:\n        - service: web\n          ingress: { name: web, classType: nginx }\n';
const UNROUTED = edit(
  example.ROLLOUT,
  ['- { traffic: 20%, replicas: 20%, pause: {} }', '- { replicas: 20%, pause: {} }'],
  ['- { traffic: 100%, replicas: 100% }', '- { replicas: 100% }'],
  [ROUTES, '      trafficRoutingRef: web\n'],
);
const V1ALPHA1 = `apiVersion: rollouts.kruise.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  objectRef:
    workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    canary:
      steps:
        - { weight: 20, pause: {} }
        - { weight: 100, replicas: 100% }
      trafficRoutings:
        - service: web
          ingress: { name: web, classType: nginx }
`;

/** Rules on annotations. */
export const annotationRules = defineRules({
  'kruise-traffic-routing-ref-ignored': {
    severity: 'error',
    title: 'no controller reads trafficRoutingRef',
    because: `the controllers find the TrafficRouting only by the annotation ${TRAFFIC_ROUTING_ANNOTATION}; the field exists for conversion between versions`,
    fix: `add the annotation ${TRAFFIC_ROUTING_ANNOTATION} with the same name`,
    basis: 'read',
    sources: [source.progressing, source.conversion],
    failing: yaml(UNROUTED),
    corrected: yaml(edit(UNROUTED, [METADATA, annotated('rollouts.kruise.io/trafficrouting: web')])),
  },

  'kruise-annotation-unknown': {
    severity: 'warning',
    title: 'the controllers do not read an annotation',
    because: 'an unknown annotation with this prefix has no effect, and the controllers report nothing',
    fix: 'correct the name, or remove the annotation',
    basis: 'read',
    sources: [source.types, source.conversion],
    failing: yaml(edit(V1ALPHA1, [METADATA, annotated('rollouts.kruise.io/rolling-type: canary')])),
    corrected: yaml(edit(V1ALPHA1, [METADATA, annotated('rollouts.kruise.io/rolling-style: canary')])),
  },

  'kruise-rolling-style-ignored': {
    severity: 'warning',
    title: 'the annotation rolling-style has no effect',
    because:
      'fields define the style in v1beta1: canary with enableExtraWorkloadForCanary, canary without it (partition), or blueGreen',
    fix: 'remove the annotation, and set enableExtraWorkloadForCanary for canary style',
    basis: 'read',
    sources: [source.types, source.conversion],
    failing: yaml(edit(example.ROLLOUT, [METADATA, annotated('rollouts.kruise.io/rolling-style: partition')])),
    corrected: yaml(example.ROLLOUT),
  },
});

/** Checks the annotations of every Rollout. */
export const checkAnnotations: RolloutChecker = ({ rollouts, version }) =>
  rollouts.flatMap((rollout) => [
    ...trafficRoutingRef(rollout),
    ...unknown(rollout),
    ...rollingStyle(rollout),
    ...rollingStyleByCase(rollout, version),
  ]);

function trafficRoutingRef({ manifest, strategy }: RolloutSubject): Finding[] {
  const named = strategy.object.trafficRoutingRef;
  const annotation = manifest.annotations[TRAFFIC_ROUTING_ANNOTATION];
  if (typeof named !== 'string' || named === '' || named === annotation) return [];
  return [
    manifest.finding(annotationRules['kruise-traffic-routing-ref-ignored'], {
      message:
        annotation === undefined
          ? `trafficRoutingRef names "${named}", but the annotation ${TRAFFIC_ROUTING_ANNOTATION} is missing`
          : `trafficRoutingRef names "${named}", but the annotation ${TRAFFIC_ROUTING_ANNOTATION} names "${annotation}", which the controllers use`,
      path: [...strategy.path, 'trafficRoutingRef'],
    }),
  ];
}

/** Annotations that users set on a Rollout. */
const KNOWN = [ROLLING_STYLE_ANNOTATION, ROLLBACK_IN_BATCH_ANNOTATION, TRAFFIC_ROUTING_ANNOTATION];

/** Annotations that the controllers write. */
const WRITTEN = [`${API_GROUP}/hash`, `${API_GROUP}/in-progressing`, ORIGINAL_SPEC_ANNOTATION];

/** The changelog of 0.6 names this annotation, but no release reads it. */
const PARTITION_LIMIT = `${API_GROUP}/partition-replicas-limit`;

/** Misspellings that are too different for `didYouMean`. */
const MISTAKEN: Readonly<Record<string, string>> = { [`${API_GROUP}/rolling-type`]: ROLLING_STYLE_ANNOTATION };

function unknown({ manifest }: RolloutSubject): Finding[] {
  return Object.keys(manifest.annotations)
    .filter((name) => name.startsWith(`${API_GROUP}/`) && !KNOWN.includes(name) && !WRITTEN.includes(name))
    .map((name) => {
      const meant = MISTAKEN[name] ?? didYouMean(name, KNOWN);
      return manifest.finding(annotationRules['kruise-annotation-unknown'], {
        severity: meant === undefined ? 'warning' : 'error',
        message: `no controller reads the annotation ${name}`,
        path: ['metadata', 'annotations', name],
        fix: meant === undefined ? `remove it; the controllers read ${listed(KNOWN)}` : `did you mean ${meant}?`,
        ...(name === PARTITION_LIMIT && {
          because:
            'the changelog of 0.6 names it, but no release reads it: the limit is the flag --partition-percent-limit of the controller',
          fix: 'remove it, and set --partition-percent-limit on the controller',
        }),
      });
    });
}

function rollingStyle({ manifest, v1alpha1, style }: RolloutSubject): Finding[] {
  const value = manifest.annotations[ROLLING_STYLE_ANNOTATION];
  if (v1alpha1 || value === undefined || value.toLowerCase() === style.toLowerCase()) return [];
  return [
    manifest.finding(annotationRules['kruise-rolling-style-ignored'], {
      message: `the annotation says "${value}", but the style of this v1beta1 Rollout is ${style}`,
      path: ['metadata', 'annotations', ROLLING_STYLE_ANNOTATION],
    }),
  ];
}

function rollingStyleByCase({ manifest, v1alpha1, style }: RolloutSubject, version: KruiseRolloutVersion): Finding[] {
  const value = manifest.annotations[ROLLING_STYLE_ANNOTATION];
  const isPartition = value?.toLowerCase() === 'partition' && style !== 'partition';
  if (!v1alpha1 || !isPartition || !version.facts.readsStyleByCase) return [];
  return [
    manifest.finding(annotationRules['kruise-rolling-style-ignored'], {
      message: `the annotation says "${value}", and Kruise Rollouts ${version} takes that for ${style} style`,
      path: ['metadata', 'annotations', ROLLING_STYLE_ANNOTATION],
      because: 'release 0.5.0 compares the case: only "Partition" is partition style',
      fix: 'write Partition, which all releases read',
    }),
  ];
}
