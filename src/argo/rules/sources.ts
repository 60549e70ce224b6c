const ARGO = 'https://github.com/argoproj/argo-rollouts/blob/v1.9.1';
const LBC = 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/blob/v3.5.0';

/** The code and documentation behind the rules. */
export const sources = {
  alb: `${ARGO}/rollout/trafficrouting/alb/alb.go`,
  ingress: `${ARGO}/utils/ingress/wrapper.go`,
  reset: `${ARGO}/ingress/alb.go`,
  routing: `${ARGO}/rollout/trafficrouting.go`,
  experiment: `${ARGO}/experiments/experiment.go`,
  flags: `${ARGO}/cmd/rollouts-controller/main.go`,
  references: `${ARGO}/pkg/apis/rollouts/validation/validation_references.go`,
  defaults: `${ARGO}/utils/defaults/defaults.go`,
  verification: `${ARGO}/utils/aws/aws.go`,
  rules: `${LBC}/pkg/ingress/model_build_listener_rules.go`,
  backend: `${LBC}/pkg/ingress/enhanced_backend_builder.go`,
  group: `${LBC}/controllers/ingress/group_controller.go`,
  readiness: `${LBC}/docs/deploy/pod_readiness_gate.md`,
  limits: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-limits.html',
  conditions: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/rule-condition-types.html',
  names: 'https://kubernetes.io/docs/concepts/overview/working-with-objects/names/',
};
