/** The model of the Kruise Rollouts controller: the objects that it writes in each step. Pure functions of manifests. */
export * from './canary-ingress';
export * from './custom-network';
export * from './error';
export * from './gateway';
export * from './play-custom';
export * from './play-ingress';
export * from './play-rollout';
export * from './pods';
export { RolloutScripts } from './providers';
export * from './services';
