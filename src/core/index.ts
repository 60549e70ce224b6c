export { didYouMean } from './did-you-mean';
export {
  type AbsentObject,
  collectFindings,
  type Finding,
  findingTexts,
  fingerprintOf,
  identityOf,
  inReportOrder,
  type ObjectRef,
  type Severity,
  type SourceLocation,
  withRemark,
} from './finding';
export { isJsonObject, type Json, type JsonObject, ownValue, sameJson, setOwnValue, typeName } from './json';
export {
  groupKindOf,
  groupOf,
  Manifest,
  type ManifestFindingDetails,
  type ManifestOptions,
  type Origin,
} from './manifest';
export { formatPath, type Path, parsePath, toPath, valueAt } from './path';
export {
  DEFAULT_LIMITS,
  type FileTree,
  parseManifests,
  parseStream,
  type ReadLimits,
  type ReadOptions,
  type ReadResult,
  readTree,
  STDIN,
} from './reader';
export {
  type Basis,
  defineRules,
  type FindingDetails,
  findingOf,
  type Rule,
  RuleCatalogue,
  type RuleExample,
  type RuleTable,
} from './rule';
export { coreRules, readerRules, suppressionRules, worldRules } from './rules';
export {
  applySuppressions,
  formatIgnore,
  IGNORE_ANNOTATION,
  type IgnoreEntry,
  parseIgnore,
  type SuppressedFinding,
  type Suppression,
  type SuppressionOptions,
  type SuppressionResult,
} from './suppression';
export { World, type WorldOptions } from './world';
