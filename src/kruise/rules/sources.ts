const SOURCE = 'https://github.com/openkruise/rollouts/blob/master';

/** An issue of upstream. */
export const issue = (number: number) => `https://github.com/openkruise/rollouts/issues/${number}`;

/** The source files of upstream behind the rules. */
export const source = {
  types: `${SOURCE}/api/v1beta1/rollout_types.go`,
  conversion: `${SOURCE}/api/v1alpha1/conversion.go`,
  validation: `${SOURCE}/pkg/webhook/rollout/validating/rollout_create_update_handler.go`,
  workloadWebhook: `${SOURCE}/pkg/webhook/workload/mutating/workload_update_handler.go`,
  manager: `${SOURCE}/pkg/trafficrouting/manager.go`,
  canary: `${SOURCE}/pkg/controller/rollout/rollout_canary.go`,
  progressing: `${SOURCE}/pkg/controller/rollout/rollout_progressing.go`,
  ingress: `${SOURCE}/pkg/trafficrouting/network/ingress/ingress.go`,
  gateway: `${SOURCE}/pkg/trafficrouting/network/gateway/gateway.go`,
  custom: `${SOURCE}/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider.go`,
  partition: `${SOURCE}/pkg/controller/batchrelease/control/partitionstyle/deployment/control.go`,
  finder: `${SOURCE}/pkg/util/controller_finder.go`,
  labelPatch: `${SOURCE}/pkg/controller/batchrelease/labelpatch/patcher.go`,
  batchRelease: `${SOURCE}/pkg/controller/rollout/rollout_canary.go`,
} as const;
