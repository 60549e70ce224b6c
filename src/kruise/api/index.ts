/**
 * The API of Kruise Rollouts: one definition per type, with upstream's names. `npm run schemas` generates `schemas.json`
 * from these types and their doc comments. The CRDs and the checks of manifests use that file. docs/kruise-api.md
 * describes the tags in the comments.
 *
 * A type has the fields that the controller requires. A field that is optional in the CRD, but that the webhook or the
 * controller requires, has the tag `@crdOptional`.
 */
export type * from './batch-release';
export type * from './common';
export * from './names';
export type * from './rollout';
export type * from './rollout-history';
export type * from './rollout-v1alpha1';
export type * from './traffic-routing';
