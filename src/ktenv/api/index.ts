/**
 * The API of KtEnv: one definition per type, with upstream's names. `npm run schemas` generates `schemas.json` from the
 * types and their doc comments; the CRD and the check of manifests use it. `@default - …` describes the operator, because
 * the CRD has no defaults.
 */
export type * from './common';
export * from './names';
export type * from './virtual-environment';
