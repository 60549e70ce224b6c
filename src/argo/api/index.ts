/**
 * The API of Argo Rollouts: one definition per type. The types here are the definition; `schemas.json` beside them, and
 * with it the CRDs and the check of manifests, is written from them and their doc comments by `npm run schemas`. What the
 * comments say in tags is told in docs/argo-api.md.
 *
 * A type says what has to be written for the controller to take the object. A field that the CRD leaves optional, but
 * that the controller asks for, carries `@crdOptional`.
 */
export type * from './affinity';
export type * from './analysis';
export type * from './analysis-of-rollout';
export type * from './common';
export type * from './container';
export type * from './experiment';
export type * from './job';
export type * from './metrics';
export * from './names';
export type * from './pod';
export type * from './probes';
export type * from './providers';
export type * from './rollout';
export type * from './rollout-status';
export type * from './security';
export type * from './steps';
export type * from './strategy';
export type * from './traffic-routing';
