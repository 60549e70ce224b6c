/** Programs that write the same objects as manifests do, with the constructs of this library. */
export { type Difference, differenceText } from './difference';
export { evaluate, type Scope } from './evaluate';
export { idsOf } from './names';
export { CannotImport, compared, type Fallback, type ImportPlan, type Proof, type Prove, planImport } from './plan';
export { CHART_ID, type ProgramOptions, programText } from './program';
export type { Target } from './recognise/context';
export { duplicateIn, type Patch, type Statement } from './statement';
export { type StackSuppression, suppressionsFor, withAcceptedScripts } from './suppressions';
