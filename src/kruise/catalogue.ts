import { lazy } from '../core/lazy';
import { RuleCatalogue } from '../core/rule';
import { coreRules } from '../core/rules';
import { schemaRules } from '../core/schema/rules';
import { admissionRules } from './admission/rules';
import { albRules } from './alb';
import { gatewayPermissionRules } from './gateway-permissions/rules';
import { installRules } from './install/check/rules';
import { rolloutRules } from './rules';
import { configMapRules } from './scripts/config-map-rules';
import { scriptRules } from './scripts/rules';

/** All rules for Kruise Rollouts, and the core rules that they build on. */
export const kruiseCatalogue = lazy(() =>
  RuleCatalogue.of(
    coreRules,
    schemaRules,
    admissionRules,
    rolloutRules,
    albRules,
    installRules,
    gatewayPermissionRules,
    scriptRules,
    configMapRules,
  ),
);
