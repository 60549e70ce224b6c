import type { StructuralSchema } from '../../../core/schema/structural';
import {
  anyObject,
  dateTime,
  emptyObject,
  flag,
  int32,
  int64,
  intOrString,
  labelSelector,
  labelsAndAnnotations,
  listOf,
  mapOf,
  object,
  text,
  textMap,
  texts,
} from './builder';
import { podTemplate } from './pod-template';
import { rolloutStatus } from './status';

const analysisArguments = listOf(
  object({
    'name!': text,
    value: text,
    valueFrom: object({ fieldRef: object({ 'fieldPath!': text }), podTemplateHashValue: text }),
  }),
);
const dryRun = listOf(object({ 'metricName!': text }));

const analysisFields = {
  analysisRunMetadata: labelsAndAnnotations,
  args: analysisArguments,
  dryRun,
  measurementRetention: listOf(object({ 'limit!': int32, 'metricName!': text })),
  templates: listOf(object({ clusterScope: flag, templateName: text })),
};
const analysis = object(analysisFields);

const antiAffinity = object({
  preferredDuringSchedulingIgnoredDuringExecution: object({ 'weight!': int32 }),
  requiredDuringSchedulingIgnoredDuringExecution: emptyObject,
});

const blueGreen = object({
  abortScaleDownDelaySeconds: int32,
  activeMetadata: labelsAndAnnotations,
  'activeService!': text,
  antiAffinity,
  autoPromotionEnabled: flag,
  autoPromotionSeconds: int32,
  maxUnavailable: intOrString,
  postPromotionAnalysis: analysis,
  prePromotionAnalysis: analysis,
  previewMetadata: labelsAndAnnotations,
  previewReplicaCount: int32,
  previewService: text,
  scaleDownDelayRevisionLimit: int32,
  scaleDownDelaySeconds: int32,
});

const stringMatch = object({ exact: text, prefix: text, regex: text });

const experiment = object({
  analyses: listOf(
    object({
      args: analysisArguments,
      clusterScope: flag,
      'name!': text,
      requiredForCompletion: flag,
      'templateName!': text,
    }),
  ),
  analysisRunMetadata: labelsAndAnnotations,
  dryRun,
  duration: text,
  scaleDownDelaySeconds: int32,
  'templates!': listOf(
    object({
      metadata: labelsAndAnnotations,
      'name!': text,
      replicas: int32,
      selector: labelSelector,
      service: object({ name: text }),
      'specRef!': text,
      weight: int32,
    }),
  ),
});

const step = object({
  analysis,
  experiment,
  pause: object({ duration: intOrString }),
  plugin: object({ config: anyObject, 'name!': text }),
  setCanaryScale: object({ matchTrafficWeight: flag, replicas: int32, weight: int32 }),
  setHeaderRoute: object({
    match: listOf(object({ 'headerName!': text, 'headerValue!': stringMatch })),
    name: text,
  }),
  setMirrorRoute: object({
    match: listOf(object({ headers: mapOf(stringMatch), method: stringMatch, path: stringMatch })),
    'name!': text,
    percentage: int32,
  }),
  setWeight: int32,
});

const virtualServiceFields = {
  routes: texts,
  tcpRoutes: listOf(object({ port: int64 })),
  tlsRoutes: listOf(object({ port: int64, sniHosts: texts })),
};
const virtualNode = object({ 'name!': text });

const trafficRouting = object({
  alb: object({
    annotationPrefix: text,
    ingress: text,
    ingresses: texts,
    rootService: text,
    'servicePort!': int32,
    stickinessConfig: object({ 'durationSeconds!': int64, 'enabled!': flag }),
  }),
  ambassador: object({ 'mappings!': texts }),
  apisix: object({ route: object({ 'name!': text, rules: texts }) }),
  appMesh: object({
    virtualNodeGroup: object({ 'canaryVirtualNodeRef!': virtualNode, 'stableVirtualNodeRef!': virtualNode }),
    virtualService: object({ 'name!': text, routes: texts }),
  }),
  istio: object({
    destinationRule: object({
      additionalSubsetNames: texts,
      'canarySubsetName!': text,
      'name!': text,
      'stableSubsetName!': text,
    }),
    virtualService: object({ 'name!': text, ...virtualServiceFields }),
    virtualServices: listOf(object({ 'name!': text, ...virtualServiceFields })),
  }),
  managedRoutes: listOf(object({ 'name!': text })),
  maxTrafficWeight: int32,
  nginx: object({
    additionalIngressAnnotations: textMap,
    annotationPrefix: text,
    canaryIngressAnnotations: textMap,
    stableIngress: text,
    stableIngresses: texts,
  }),
  plugins: anyObject,
  smi: object({ rootService: text, trafficSplitName: text }),
  traefik: object({ 'weightedTraefikServiceName!': text }),
});

const canary = object({
  abortScaleDownDelaySeconds: int32,
  analysis: object({ ...analysisFields, startingStep: int32 }),
  antiAffinity,
  canaryMetadata: labelsAndAnnotations,
  canaryService: text,
  dynamicStableScale: flag,
  maxSurge: intOrString,
  maxUnavailable: intOrString,
  minPodsPerReplicaSet: int32,
  pingPong: object({ 'pingService!': text, 'pongService!': text }),
  replicaProgressThreshold: object({ 'type!': text, 'value!': int32 }),
  scaleDownDelayRevisionLimit: int32,
  scaleDownDelaySeconds: int32,
  stableMetadata: labelsAndAnnotations,
  stableService: text,
  steps: listOf(step),
  trafficRouting,
});

const spec = object({
  analysis: object({ successfulRunHistoryLimit: int32, unsuccessfulRunHistoryLimit: int32 }),
  minReadySeconds: int32,
  paused: flag,
  progressDeadlineAbort: flag,
  progressDeadlineSeconds: int32,
  replicas: int32,
  restartAt: dateTime,
  revisionHistoryLimit: int32,
  rollbackWindow: object({ revisions: int32 }),
  selector: {
    ...labelSelector,
    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: '.spec.selector is immutable' }],
  },
  strategy: object({ blueGreen, canary }),
  template: podTemplate,
  workloadRef: object({ apiVersion: text, kind: text, name: text, scaleDown: text }),
});

/** What the API server takes of a Rollout of argoproj.io/v1alpha1. */
export const rolloutSchema: StructuralSchema = object({
  apiVersion: text,
  kind: text,
  metadata: emptyObject,
  'spec!': spec,
  status: rolloutStatus,
});
