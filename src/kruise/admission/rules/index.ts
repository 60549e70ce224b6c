import { onPage } from '../../../core/rule';
import { clusterRules } from './cluster';
import { rolloutRules } from './rollout';
import { routingRules } from './routing';

/** The rules of the controller's webhook and of the API server's checks before it. */
export const admissionRules = onPage('kruise-admission', { ...rolloutRules, ...routingRules, ...clusterRules });

/** The id of one of these rules. */
export type AdmissionRuleId = keyof typeof admissionRules;
