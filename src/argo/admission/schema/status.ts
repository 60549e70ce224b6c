import { anyObject, dateTime, flag, int32, listOf, object, text } from './builder';

const awsObject = object({ 'arn!': text, fullName: text, 'name!': text });
const alb = object({
  canaryTargetGroup: awsObject,
  ingress: text,
  loadBalancer: awsObject,
  stableTargetGroup: awsObject,
});

const analysisRun = object({ message: text, 'name!': text, 'status!': text });

const weight = object({ podTemplateHash: text, serviceName: text, 'weight!': int32 });

/** The status of a Rollout: never a user's to write, but a manifest that was exported has it. */
export const rolloutStatus = object({
  HPAReplicas: int32,
  abort: flag,
  abortedAt: dateTime,
  alb,
  albs: listOf(alb),
  availableReplicas: int32,
  blueGreen: object({
    activeSelector: text,
    postPromotionAnalysisRunStatus: analysisRun,
    prePromotionAnalysisRunStatus: analysisRun,
    previewSelector: text,
    scaleUpPreviewCheckPoint: flag,
  }),
  canary: object({
    currentBackgroundAnalysisRunStatus: analysisRun,
    currentExperiment: text,
    currentStepAnalysisRunStatus: analysisRun,
    stablePingPong: text,
    stepPluginStatuses: listOf(
      object({
        backoff: text,
        disabled: flag,
        executions: int32,
        finishedAt: dateTime,
        'index!': int32,
        message: text,
        'name!': text,
        'operation!': text,
        phase: text,
        startedAt: dateTime,
        status: anyObject,
        updatedAt: dateTime,
      }),
    ),
    weights: object({ additional: listOf(weight), 'canary!': weight, 'stable!': weight, verified: flag }),
  }),
  collisionCount: int32,
  conditions: listOf(
    object({
      'lastTransitionTime!': dateTime,
      'lastUpdateTime!': dateTime,
      'message!': text,
      'reason!': text,
      'status!': text,
      'type!': text,
    }),
  ),
  controllerPause: flag,
  currentPodHash: text,
  currentStepHash: text,
  currentStepIndex: int32,
  message: text,
  observedGeneration: text,
  pauseConditions: listOf(object({ 'reason!': text, 'startTime!': dateTime })),
  phase: text,
  promoteFull: flag,
  readyReplicas: int32,
  replicas: int32,
  restartedAt: dateTime,
  selector: text,
  stableRS: text,
  updatedReplicas: int32,
  workloadObservedGeneration: text,
});
