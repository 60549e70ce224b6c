/** Cluster-scoped kinds of Kubernetes and of the systems that this library knows. */
const CLUSTER_SCOPED = new Set([
  'APIService.apiregistration.k8s.io',
  'CertificateSigningRequest.certificates.k8s.io',
  'ClusterAnalysisTemplate.argoproj.io',
  'ClusterIssuer.cert-manager.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'CSIDriver.storage.k8s.io',
  'CSINode.storage.k8s.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'FlowSchema.flowcontrol.apiserver.k8s.io',
  'GatewayClass.gateway.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'IngressClassParams.elbv2.k8s.aws',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass.scheduling.k8s.io',
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
  'RuntimeClass.node.k8s.io',
  'StorageClass.storage.k8s.io',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'VolumeAttachment.storage.k8s.io',
]);

/** Whether the objects of a kind belong to no namespace. */
export function isClusterScoped(groupKind: string): boolean {
  return CLUSTER_SCOPED.has(groupKind);
}
