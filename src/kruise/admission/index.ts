/** Predicts which Kruise Rollouts objects the API server and the controller's webhook refuse. */
export { type AdmissionCluster, type AdmissionOptions, type AdmissionVerdict, admitRollout } from './admit';
export { admissionFindings } from './findings';
export { scaledValue } from './percent';
export type { AdmissionProblem } from './problem';
export { type AdmissionRuleId, admissionRules } from './rules';
