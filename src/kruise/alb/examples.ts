/** Manifests for the examples of the rules: complete, valid, and without findings. */
import { edit, SERVICE } from '../../core/example';
import { INGRESS } from '../../routers/aws-alb/checks/examples';
import { ALIYUN_SCRIPT, AWS_SCRIPT, IN_PLACE_SCRIPT, scriptConfigMap } from '../scripts/example-scripts';

export { edit, SERVICE, yaml } from '../../core/example';
/** The Ingress of a Rollout with `customNetworkRefs`, which the controller edits in place. */
export { ACTION, INGRESS } from '../../routers/aws-alb/checks/examples';

const ORDERS = `    alb.ingress.kubernetes.io/group.name: shop
    alb.ingress.kubernetes.io/group.order: "10"
    rollout-constructs.io/canary-group-order: "9"
`;

/** The Ingress of a Rollout with `ingress`, which the controller clones for the canary. */
export const CLONED_INGRESS = edit(INGRESS, ['spec:\n', `${ORDERS}spec:\n`]);

/** Steps by weight and by match; the Ingress is edited in place. */
export const ROLLOUT = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps:
        - { matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas: 20%, pause: {} }
        - { traffic: 20%, replicas: 20%, pause: {} }
        - { traffic: 100%, replicas: 100% }
      trafficRoutings:
        - service: web
          gracePeriodSeconds: 30
          customNetworkRefs: [{ apiVersion: networking.k8s.io/v1, kind: Ingress, name: web }]
`;

const REFS = 'customNetworkRefs: [{ apiVersion: networking.k8s.io/v1, kind: Ingress, name: web }]';

/** The same with a canary Ingress. */
export const CLONING_ROLLOUT = edit(ROLLOUT, [REFS, 'ingress: { name: web, classType: aws-alb }']);

/** The matches of the first step of both Rollouts. */
const MATCH = '[{ headers: [{ name: user-agent, value: pc }] }]';

/** The workload of every Rollout. */
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 10
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: example.com/web:1 }] }
`;

/** The script and the workload of a release that edits the Ingress in place. */
export const IN_PLACE = [scriptConfigMap('Ingress.networking.k8s.io', IN_PLACE_SCRIPT), DEPLOYMENT];

/** The script and the workload of a release with a canary Ingress. */
export const CLONING = [scriptConfigMap('ingress.aws-alb', AWS_SCRIPT), DEPLOYMENT];

/** All objects of a release that edits the Ingress in place, with other matches. */
export const inPlace = (match: string = MATCH): string[] => [
  edit(ROLLOUT, [MATCH, match]),
  INGRESS,
  SERVICE,
  ...IN_PLACE,
];

/** All objects of a release with a canary Ingress, with other matches. */
export const cloned = (match: string = MATCH): string[] => [
  edit(CLONING_ROLLOUT, [MATCH, match]),
  CLONED_INGRESS,
  SERVICE,
  ...CLONING,
];

/** The Ingress of an ALB of Alibaba Cloud. */
export const ALIYUN_INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/order: "501"
    rollout-constructs.io/canary-order: "1"
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }
`;

/** A Rollout on an ALB of Alibaba Cloud. */
export const ALIYUN_ROLLOUT = edit(CLONING_ROLLOUT, ['classType: aws-alb', 'classType: aliyun-alb']);

/** A ConfigMap whose script replaces the built-in one. */
export const ALIYUN_CONFIG_MAP = scriptConfigMap('ingress.aliyun-alb', ALIYUN_SCRIPT);

/** All objects of a release on an ALB of Alibaba Cloud, with other matches. */
export const aliyun = (match: string = MATCH): string[] => [
  edit(ALIYUN_ROLLOUT, [MATCH, match]),
  ALIYUN_INGRESS,
  SERVICE,
  DEPLOYMENT,
  ALIYUN_CONFIG_MAP,
];
