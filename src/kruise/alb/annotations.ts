/** Annotations that the scripts and the constructs of this library share. */

/** On a stable Ingress of an AWS load balancer: the `group.order` that the canary Ingress gets. */
export const CANARY_GROUP_ORDER_ANNOTATION = 'rollout-constructs.io/canary-group-order';

/** On a stable Ingress of an Alibaba Cloud ALB: the `order` that the canary Ingress gets. */
export const CANARY_ORDER_ANNOTATION = 'rollout-constructs.io/canary-order';

/** On an Ingress that is edited in place: states that its class belongs to the AWS Load Balancer Controller. */
export const ALB_CLASS_ANNOTATION = 'rollout-constructs.io/alb-ingress-class';

/** The class type of this library's script for AWS, which edits the canary Ingress. */
export const AWS_CLASS_TYPE = 'aws-alb';

/** The class type of the script for Alibaba Cloud. */
export const ALIYUN_CLASS_TYPE = 'aliyun-alb';
