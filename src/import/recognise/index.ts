/** Every recogniser, in the order in which they are asked. */
import { recogniseAlbCanaryIngress, recogniseAlbIngressClass } from './alb-ingress';
import { recogniseAliyunIngress } from './aliyun-ingress';
import { recogniseArgoAlbRollout } from './argo-alb';
import type { Recogniser } from './context';
import { recogniseGatewayRoleBinding } from './gateway-role-binding';
import { recogniseArgoInstall } from './install/argo';
import { recogniseKruiseInstall } from './install/kruise';
import { recogniseKtEnvInstall } from './install/ktenv';
import { recogniseKruiseRollout, recogniseKruiseTrafficRouting } from './kruise-rollout';
import { recogniseLuaConfigMap } from './lua-config-map';
import { recogniseVirtualEnvironment } from './virtual-environment';

/** A construct, and how to see whether an object may be one. */
export interface ListedRecogniser {
  readonly construct: string;
  readonly recognise: Recogniser;
  /** Whether it refers to objects of any kind. */
  readonly isLast?: boolean;
}

/** What others refer to comes first. */
export const RECOGNISERS: readonly ListedRecogniser[] = [
  { construct: 'AlbIngressClass', recognise: recogniseAlbIngressClass },
  { construct: 'ArgoAlbRollout', recognise: recogniseArgoAlbRollout },
  { construct: 'AlbCanaryIngress', recognise: recogniseAlbCanaryIngress },
  { construct: 'AliyunAlbCanaryIngress', recognise: recogniseAliyunIngress },
  { construct: 'LuaRoutingConfigMap', recognise: recogniseLuaConfigMap },
  { construct: 'KruiseRolloutInstall', recognise: recogniseKruiseInstall },
  { construct: 'GatewayRoleBinding', recognise: recogniseGatewayRoleBinding },
  { construct: 'ArgoRolloutsInstall', recognise: recogniseArgoInstall },
  { construct: 'KtEnvInstall', recognise: recogniseKtEnvInstall },
  { construct: 'KtVirtualEnvironment', recognise: recogniseVirtualEnvironment },
  { construct: 'KruiseTrafficRouting', recognise: recogniseKruiseTrafficRouting, isLast: true },
  { construct: 'KruiseRollout', recognise: recogniseKruiseRollout, isLast: true },
];
