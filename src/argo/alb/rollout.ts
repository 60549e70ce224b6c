/** Builds the Rollout. */
import { secondsOf } from '../../core/duration';
import { compact } from '../../core/json';
import type { BlueGreenStrategy, CanaryStrategy, RolloutSpec, RolloutStrategy, WorkloadRef } from '../api';
import type { ArgoAlbRolloutOptions, ArgoObjectMetadata, ArgoWorkloadRef } from './options';
import type { AlbPlan, ServiceRole } from './plan';
import { preparedRollout } from './prepared';
import type { ArgoBlueGreenOptions, ArgoCanaryOptions } from './strategy';

/** A Rollout as an API object. */
export interface RolloutManifest {
  readonly apiVersion: 'argoproj.io/v1alpha1';
  readonly kind: 'Rollout';
  readonly metadata: ArgoObjectMetadata;
  readonly spec: RolloutSpec;
}

/** The Rollout of a plan. */
export function rolloutManifest(plan: AlbPlan): RolloutManifest {
  const { options, labels } = plan;
  const { template, workloadRef, rollbackWindow } = options;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: compact({ ...plan.metadata, annotations: annotationsOf(plan) }),
    // Either template or workloadRef is set, which the type does not express.
    spec: compact({
      replicas: options.replicas,
      selector: { matchLabels: labels },
      template,
      workloadRef: workloadRef && workloadOf(workloadRef),
      strategy: strategyOf(plan),
      minReadySeconds: seconds(options.minReady),
      progressDeadlineSeconds: seconds(options.progressDeadline),
      progressDeadlineAbort: options.progressDeadlineAbort,
      revisionHistoryLimit: options.revisionHistoryLimit,
      rollbackWindow: rollbackWindow === undefined ? undefined : { revisions: rollbackWindow },
      paused: options.paused,
    }) as RolloutSpec,
  };
}

function annotationsOf(plan: AlbPlan): Readonly<Record<string, string>> | undefined {
  const annotations = preparedRollout(plan, plan.metadata.annotations ?? {});
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

function workloadOf({ apiVersion = 'apps/v1', kind = 'Deployment', name, scaleDown }: ArgoWorkloadRef): WorkloadRef {
  return compact({ apiVersion, kind, name, scaleDown });
}

function strategyOf(plan: AlbPlan): RolloutStrategy {
  const { definition } = plan.options.strategy;
  const service = (role: ServiceRole) => plan.services.find((one) => one.role === role)!.service.name;
  switch (definition.kind) {
    case 'canary':
      return {
        canary: {
          stableService: service('stable'),
          canaryService: service('canary'),
          ...canaryOf(plan, definition.options),
        },
      };
    case 'pingPong':
      return {
        canary: {
          pingPong: { pingService: service('ping'), pongService: service('pong') },
          ...canaryOf(plan, definition.options),
        },
      };
    case 'blueGreen':
      return {
        blueGreen: {
          activeService: service('active'),
          previewService: service('preview'),
          ...blueGreenOf(definition.options),
        },
      };
  }
}

function canaryOf(plan: AlbPlan, options: ArgoCanaryOptions): CanaryStrategy {
  const { ingresses, port, root, routes } = plan;
  const [first, ...more] = ingresses.map(({ name }) => name);
  const stickiness = seconds(options.stickiness);
  return compact({
    steps: options.steps,
    analysis: options.analysis,
    maxSurge: options.maxSurge,
    maxUnavailable: options.maxUnavailable,
    scaleDownDelaySeconds: seconds(options.scaleDownDelay),
    abortScaleDownDelaySeconds: seconds(options.abortScaleDownDelay),
    dynamicStableScale: options.dynamicStableScale,
    replicaProgressThreshold: options.replicaProgressThreshold,
    minPodsPerReplicaSet: options.minPodsPerReplicaSet,
    antiAffinity: options.antiAffinity,
    canaryMetadata: options.canaryMetadata,
    stableMetadata: options.stableMetadata,
    trafficRouting: compact({
      alb: compact({
        ...(more.length === 0 ? { ingress: first } : { ingresses: [first!, ...more] }),
        servicePort: port,
        rootService: root,
        annotationPrefix: options.annotationPrefix,
        stickinessConfig: stickiness === undefined ? undefined : { enabled: true, durationSeconds: stickiness },
      }),
      managedRoutes: routes.length === 0 ? undefined : routes.map((name) => ({ name })),
    }),
  });
}

function blueGreenOf(options: ArgoBlueGreenOptions): Partial<BlueGreenStrategy> {
  return compact({
    autoPromotionEnabled: options.autoPromotion,
    autoPromotionSeconds: seconds(options.autoPromotionDelay),
    previewReplicaCount: options.previewReplicaCount,
    prePromotionAnalysis: options.prePromotionAnalysis,
    postPromotionAnalysis: options.postPromotionAnalysis,
    scaleDownDelaySeconds: seconds(options.scaleDownDelay),
    scaleDownDelayRevisionLimit: options.scaleDownDelayRevisionLimit,
    abortScaleDownDelaySeconds: seconds(options.abortScaleDownDelay),
    maxUnavailable: options.maxUnavailable,
    antiAffinity: options.antiAffinity,
    activeMetadata: options.activeMetadata,
    previewMetadata: options.previewMetadata,
  });
}

function seconds(time: ArgoAlbRolloutOptions['minReady']): number | undefined {
  return time === undefined ? undefined : secondsOf(time);
}
