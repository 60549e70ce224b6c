/** The model of the Kruise Rollouts controller: the objects that it writes in each step. Pure functions of manifests. */
export * from './canary-ingress';
export * from './custom-network';
export * from './error';
export * from './gateway';
export * from './play';
export * from './play/division';
export { changesPlan, panicOfPlan, stepOfChangedPlan } from './play/plan';
export * from './play/services';
export * from './play/workload';
export { keptReleaseId } from './play/workload-change';
export * from './play-custom';
export * from './play-ingress';
export { RolloutScripts } from './providers';
