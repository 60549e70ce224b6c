import { canaryRules } from './canary';
import { referenceRules } from './references';
import { specRules } from './spec';

/** What the controller of Argo Rollouts refuses. */
export const argoAdmissionRules = { ...specRules, ...canaryRules, ...referenceRules };

/** The id of one of these rules. */
export type ArgoAdmissionRuleId = keyof typeof argoAdmissionRules;
