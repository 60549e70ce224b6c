const CODE = 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/blob/225f44568';
const AWS = 'https://docs.aws.amazon.com/elasticloadbalancing/latest';

/** The sources that show the behaviour behind the rules. */
export const sources = {
  config: `${CODE}/pkg/ingress/config_types.go`,
  backend: `${CODE}/pkg/ingress/enhanced_backend_builder.go`,
  rules: `${CODE}/pkg/ingress/model_build_listener_rules.go`,
  optimizer: `${CODE}/pkg/ingress/rule_optimizer.go`,
  groups: `${CODE}/pkg/ingress/group_loader.go`,
  groupController: `${CODE}/controllers/ingress/group_controller.go`,
  model: `${CODE}/pkg/ingress/model_builder.go`,
  targetGroup: `${CODE}/pkg/ingress/model_build_target_group.go`,
  servicePort: `${CODE}/pkg/k8s/service_utils.go`,
  annotations: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/',
  regexCommit: 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/commit/08cbc9de2',
  limits: `${AWS}/application/load-balancer-limits.html`,
  conditions: `${AWS}/application/rule-condition-types.html`,
  targetGroupTuple: `${AWS}/APIReference/API_TargetGroupTuple.html`,
  stickiness: `${AWS}/APIReference/API_TargetGroupStickinessConfig.html`,
  forward: `${AWS}/application/load-balancer-listeners.html`,
  annotationKeys:
    'https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set',
} as const;
