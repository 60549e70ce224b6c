/** How GitOps tools judge a Rollout of Kruise: a script for Argo CD, and expressions for Flux. */

const GROUP_KIND = 'rollouts.kruise.io_Rollout';

/** Whether a Rollout of Kruise is healthy, in the Lua of Argo CD. */
const ROLLOUT_HEALTH = `local status = obj.status
if obj.metadata.deletionTimestamp ~= nil then
  return { status = "Progressing", message = "The Rollout is being deleted" }
end
if status == nil or status.phase == nil or status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "The controller has not seen the Rollout yet" }
end
local message = status.message or status.phase
if status.phase == "Healthy" then
  return { status = "Healthy", message = message }
end
-- Initial: there is no workload yet. The next sync wave, which waits for this object, may bring it.
if status.phase == "Initial" or status.phase == "Disabled" then
  return { status = "Healthy", message = message }
end
local progress = status.canaryStatus or status.blueGreenStatus or {}
local finalising = progress.finalisingStep or ""
if status.phase == "Progressing" and progress.currentStepState == "StepPaused" and finalising == "" then
  local strategy = (obj.spec or {}).strategy or {}
  local style = strategy.canary or strategy.blueGreen or {}
  local step = (style.steps or {})[progress.currentStepIndex or 0] or {}
  if (step.pause or {}).duration == nil then
    return { status = "Suspended", message = "Step " .. tostring(progress.currentStepIndex) .. " waits for approval" }
  end
end
return { status = "Progressing", message = message }
`;

/** The entry of the ConfigMap argocd-cm that judges Rollouts of Kruise. */
export const KRUISE_ARGO_CD_HEALTH: Readonly<Record<string, string>> = {
  [`resource.customizations.health.${GROUP_KIND}`]: ROLLOUT_HEALTH,
};

/** An item of `spec.healthCheckExprs` of a Flux Kustomization. */
export interface FluxHealthCheckExpr {
  /** The API version of the objects. */
  readonly apiVersion: string;
  /** The kind of the objects. */
  readonly kind: string;
  /** True when the object is ready. */
  readonly current: string;
  /** True while it is not, and may become so. */
  readonly inProgress: string;
}

const IS_SEEN =
  'has(status.phase) && has(status.observedGeneration) && status.observedGeneration == metadata.generation';
const IS_READY = `${IS_SEEN} && status.phase in ['Healthy', 'Initial', 'Disabled']`;

/** Expressions that judge Rollouts of Kruise, for each API version that manifests use. */
export function fluxHealthCheckExprs(apiVersions: readonly string[]): FluxHealthCheckExpr[] {
  return apiVersions.map((apiVersion) => ({
    apiVersion,
    kind: 'Rollout',
    current: IS_READY,
    inProgress: `!(${IS_READY})`,
  }));
}
