/**
 * The API of KtEnv: one definition per type, named as upstream names it. The types here are the definition;
 * `schemas.json` beside them, and with it the CRD and the check of manifests, is written from them and their doc comments
 * by `npm run schemas`. `@default - …` tells what the operator does, as the CRD itself has no defaults.
 */
export type * from './common';
export * from './names';
export type * from './virtual-environment';
