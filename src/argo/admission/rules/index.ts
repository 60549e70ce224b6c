import { analysisRules } from './analysis';
import { canaryRules } from './canary';
import { experimentRules } from './experiment';
import { referenceRules } from './references';
import { specRules } from './spec';

/** What the controller of Argo Rollouts refuses. */
export const argoAdmissionRules = {
  ...specRules,
  ...canaryRules,
  ...referenceRules,
  ...analysisRules,
  ...experimentRules,
};

/** The id of one of these rules. */
export type ArgoAdmissionRuleId = keyof typeof argoAdmissionRules;
