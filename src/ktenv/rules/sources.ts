const SOURCE = 'https://github.com/alibaba/virtual-environment/blob/master';

/** A thread of upstream's issue tracker. */
export const issue = (number: number) => `https://github.com/alibaba/virtual-environment/issues/${number}`;

/** Sources of the behaviour behind the rules. */
export const source = {
  readme: `${SOURCE}/README.md`,
  crd: `${SOURCE}/deploy/global/ktenv_crd.yaml`,
  install: `${SOURCE}/deploy`,
  trigger: `${SOURCE}/pkg/controller/virtualenv/reconcile_trigger.go`,
  services: `${SOURCE}/pkg/controller/service/service_controller.go`,
  labels: `${SOURCE}/pkg/component/parser/label_paster.go`,
  router: `${SOURCE}/pkg/component/router/istio/http_router.go`,
  virtualService: `${SOURCE}/pkg/component/router/istio/http/virtual_service_generator.go`,
  destinationRule: `${SOURCE}/pkg/component/router/istio/http/destination_rule_generator.go`,
  envoyFilter: `${SOURCE}/pkg/component/router/istio/envoy/envoy_tag_appender.go`,
  webhook: `${SOURCE}/cmd/webhook/main.go`,
  istioPorts: 'https://istio.io/latest/docs/ops/configuration/traffic-management/protocol-selection/',
  istioPods: 'https://istio.io/latest/docs/ops/deployment/application-requirements/',
  istioHosts: 'https://istio.io/latest/docs/ops/best-practices/traffic-management/',
  istioInjection: 'https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/',
  istioDestinationRule: 'https://istio.io/latest/docs/reference/config/networking/destination-rule/',
  kubernetesWebhooks: 'https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/',
  kubernetesOrder:
    'https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/admission/configuration/mutating_webhook_manager.go',
  istioNotes: 'https://istio.io/latest/news/releases/',
} as const;
