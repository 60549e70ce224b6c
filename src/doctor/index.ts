/** Examines a live cluster: which objects exist, what controllers wrote, and where requests go. */

export { LiveCluster, type LiveClusterOptions, type Unread } from './cluster';
export { type Declared, declaredOf, type Written } from './declared';
export { type Examined, type ExamineOptions, examine } from './examine';
export {
  CONTROLLER_KINDS,
  dumpCommand,
  groupKindOfRead,
  READ_KINDS,
  type ReadKind,
  readKinds,
  resourceOf,
} from './kinds';
export type { Progress, ProgressState } from './progress';
export { type ProgressOfOptions, progressOf, type ReleaseProgress } from './progress-of';
