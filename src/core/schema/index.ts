/**
 * Checks objects against the schemas of CustomResourceDefinitions like the API server: `checkObject` checks, and
 * `schemaFindings` converts the result to findings.
 */

export { predicateOf } from './cel';
export { checkObject, type SchemaOptions, type SchemaResult } from './check';
export { withDefaults } from './defaults';
export { errorText, fieldText, type SchemaError, type SchemaErrorType } from './error';
export { schemaFindings } from './findings';
export { validateMetadata } from './metadata';
export { type Pruned, pruneObject, type UnknownField } from './prune';
export { schemaRules } from './rules';
export { scaleErrors } from './scale';
export type { StructuralSchema, ValidationRule } from './structural';
export { validateValue } from './validate';
