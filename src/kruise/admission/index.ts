/** What the API server and the controller's webhook refuse of the kinds of Kruise Rollouts. */
export { type AdmissionCluster, type AdmissionOptions, type AdmissionVerdict, admitRollout } from './admit';
export { admissionFindings } from './findings';
export { scaledValue } from './percent';
export type { AdmissionProblem } from './problem';
export { type AdmissionRuleId, admissionRules } from './rules';
