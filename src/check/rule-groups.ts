import { argoAdmissionRules } from '../argo/admission';
import { assumptionRules } from '../argo/alb/assumptions';
import { argoQueryRules } from '../argo/analysis/checks/rules';
import { argoAlbRules } from '../argo/rules';
import type { AcceptedBy, Rule, RuleGroup, RuleSystem } from '../core/rule';
import { coreRules } from '../core/rules';
import { schemaRules } from '../core/schema';
import { admissionRules } from '../kruise/admission';
import { kruiseAliyunAlbRules, kruiseAwsAlbRules } from '../kruise/alb';
import { gatewayPermissionRules } from '../kruise/gateway-permissions';
import { installRules } from '../kruise/install/check';
import { rolloutRules } from '../kruise/rules';
import { configMapRules } from '../kruise/scripts/config-map-rules';
import { scriptRules } from '../kruise/scripts/rules';
import { ktenvRules } from '../ktenv/rules';
import { rehearsalRules } from '../rehearsal';
import { awsAlbRules } from '../routers/aws-alb/checks';
import { versionRules } from '../settings/rules';
import { apiNameRules } from './api-not-served';
import { kubernetesRules } from './kubernetes-api';
import { pulumiRules } from './pulumi-rules';

/** All rules of this library, in the order in which lists show them: the one place that knows them all. */
export const ruleGroups: readonly RuleGroup[] = [
  group('Rehearsals', 'rehearsal', rehearsalRules),
  group('Routing scripts', 'kruise', scriptRules, 'comment'),
  group('The ConfigMap of routing scripts', 'kruise', configMapRules),
  group('Rollouts and TrafficRoutings', 'kruise', rolloutRules),
  group('Canaries on load balancers of AWS', 'kruise', kruiseAwsAlbRules),
  group('Canaries on load balancers of Alibaba Cloud', 'kruise', kruiseAliyunAlbRules),
  group('Ingresses of load balancers of AWS', 'aws-load-balancers', awsAlbRules),
  group('What the webhook of Kruise Rollouts refuses', 'kruise', admissionRules),
  group('What Argo Rollouts refuses', 'argo', argoAdmissionRules),
  group('Argo Rollouts on load balancers of AWS', 'argo', { ...argoAlbRules, ...assumptionRules }),
  group('Analyses of Argo Rollouts', 'argo', argoQueryRules),
  group('What the API server refuses or drops', 'manifests', schemaRules),
  group('Installs of Kruise Rollouts', 'kruise', installRules),
  group('Permissions for gateways', 'kruise', gatewayPermissionRules),
  group('Virtual environments of KtEnv', 'ktenv', ktenvRules),
  group('Programs of Pulumi', 'manifests', pulumiRules),
  group('Releases of Kubernetes', 'manifests', { ...apiNameRules, ...kubernetesRules, ...versionRules }),
  group('Files, manifests and suppressions', 'manifests', coreRules),
];

function group(
  title: string,
  system: RuleSystem,
  rules: Readonly<Record<string, Rule>>,
  acceptedBy: AcceptedBy = 'annotation',
): RuleGroup {
  return { title, system, rules: Object.values(rules), acceptedBy };
}
