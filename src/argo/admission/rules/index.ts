import { onPage } from '../../../core/rule';
import { analysisRules } from './analysis';
import { canaryRules } from './canary';
import { experimentRules } from './experiment';
import { referenceRules } from './references';
import { specRules } from './spec';

/** The admission rules of the Argo Rollouts controller. */
export const argoAdmissionRules = onPage('argo-admission', {
  ...specRules,
  ...canaryRules,
  ...referenceRules,
  ...analysisRules,
  ...experimentRules,
});

/** The id of one of these rules. */
export type ArgoAdmissionRuleId = keyof typeof argoAdmissionRules;
