/** Istio without Services of the versions: the controller asks for all pods first, and does nothing else while one is not ready. */
import { asObject, asText, isSet, type JsonObject, partOf } from '../../core/json';
import type { ArgoRolloutsFacts } from '../facts';
import type { ArgoRolloutsVersion } from '../version';

/** Until when the controller does nothing for a Rollout whose pods are not ready. */
export function waitsForPods(
  { spec }: JsonObject,
  { facts }: ArgoRolloutsVersion,
): ArgoRolloutsFacts['istioWaitsForPods'] {
  const { canaryService, stableService, trafficRouting } = asObject(
    partOf(partOf(asObject(spec), 'strategy'), 'canary'),
  );
  const hasServices = asText(canaryService) !== '' || asText(stableService) !== '';
  return isSet(asObject(trafficRouting).istio) && !hasServices ? facts.istioWaitsForPods : 'no';
}
