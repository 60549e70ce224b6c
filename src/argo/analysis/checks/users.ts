/** Which canaries an analysis template measures. */
import { asList, asObject, asText, isSet, type JsonObject } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { ARGO_ROLLOUT } from '../../admission/findings';

/** The name of the first Rollout whose canary each template measures. */
export function measuredCanaries(world: World): ReadonlyMap<Manifest, string> {
  const users = new Map<Manifest, string>();
  for (const rollout of world.list(ARGO_ROLLOUT)) {
    for (const ref of analysesOfCanary(rollout.object)) visit(ref, rollout);
  }
  return users;

  function visit(ref: JsonObject, rollout: Manifest): void {
    const isShared = ref.clusterScope === true;
    const name = asText(ref.templateName);
    const template = isShared
      ? world.find('ClusterAnalysisTemplate.argoproj.io', name)
      : world.find('AnalysisTemplate.argoproj.io', name, world.namespaceOf(rollout));
    if (template === undefined || users.has(template)) return;
    users.set(template, rollout.name);
    for (const nested of asList(asObject(template.object.spec).templates)) visit(asObject(nested), rollout);
  }
}

function analysesOfCanary(rollout: JsonObject): JsonObject[] {
  const { canary } = asObject(asObject(rollout.spec).strategy);
  if (!isSet(canary)) return [];
  const { steps, analysis } = asObject(canary);
  const analyses = [...asList(steps).map((step) => asObject(step).analysis), analysis];
  return analyses.flatMap((each) => asList(asObject(each).templates).map(asObject));
}
