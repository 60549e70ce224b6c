import { argoAdmissionRules } from '../argo/admission';
import { argoAlbRules } from '../argo/rules';
import type { AcceptedBy, Rule, RuleGroup } from '../core/rule';
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
import { kubernetesRules } from './kubernetes-api';
import { pulumiRules } from './pulumi-rules';

/** All rules of this library, in the order in which lists show them: the one place that knows them all. */
export const ruleGroups: readonly RuleGroup[] = [
  group('Rehearsals', rehearsalRules),
  group('Routing scripts', scriptRules, 'comment'),
  group('The ConfigMap of routing scripts', configMapRules),
  group('Rollouts and TrafficRoutings', rolloutRules),
  group('Canaries on load balancers of AWS', kruiseAwsAlbRules),
  group('Canaries on load balancers of Alibaba Cloud', kruiseAliyunAlbRules),
  group('Ingresses of load balancers of AWS', awsAlbRules),
  group('What the webhook of Kruise Rollouts refuses', admissionRules),
  group('What Argo Rollouts refuses', argoAdmissionRules),
  group('Argo Rollouts on load balancers of AWS', argoAlbRules),
  group('What the API server refuses or drops', schemaRules),
  group('Installs of Kruise Rollouts', installRules),
  group('Permissions for gateways', gatewayPermissionRules),
  group('Virtual environments of KtEnv', ktenvRules),
  group('Programs of Pulumi', pulumiRules),
  group('Releases of Kubernetes', kubernetesRules),
  group('Files, manifests and suppressions', coreRules),
];

function group(title: string, rules: Readonly<Record<string, Rule>>, acceptedBy: AcceptedBy = 'annotation'): RuleGroup {
  return { title, rules: Object.values(rules), acceptedBy };
}
