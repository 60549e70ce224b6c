/**
 * The API of Argo Rollouts: one definition per type. `npm run schemas` generates `schemas.json` from these types and their
 * doc comments. The CRDs and the checks of manifests use that file. docs/argo-api.md describes the tags in the comments.
 *
 * A type has the fields that the controller requires. A field that is optional in the CRD, but that the controller
 * requires, has the tag `@crdOptional`.
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
