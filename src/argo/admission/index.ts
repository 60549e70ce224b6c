export {
  type ArgoAnswer,
  type ArgoRefusal,
  type ArgoRejection,
  type ArgoVerdict,
  admitArgoRollout,
  allProblems,
} from './admit';
export type { ArgoCluster } from './cluster';
export { admissionFindings } from './findings';
export type { ArgoProblem, ArgoStage } from './problem';
export { type ArgoAdmissionRuleId, argoAdmissionRules } from './rules';
