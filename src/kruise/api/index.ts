/**
 * The API of Kruise Rollouts: one definition per type, named as upstream names it. The types here are the definition;
 * `schemas.json` beside them, and with it the CRDs and the check of manifests, is written from them and their doc
 * comments by `npm run schemas`. What the comments say in tags is told in docs/kruise-api.md.
 *
 * A type says what has to be written for the controller to take the object. A field that the CRD leaves optional, but
 * that the webhook or the controller asks for, carries `@crdOptional`.
 */
export type * from './batch-release';
export type * from './common';
export * from './names';
export type * from './rollout';
export type * from './rollout-history';
export type * from './rollout-v1alpha1';
export type * from './traffic-routing';
