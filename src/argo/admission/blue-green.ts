import type { JsonObject } from '../../core/json';
import { asObject, asText, isSet, numberOf } from '../../core/json';
import type { Path } from '../../core/path';
import { fieldText } from '../../core/schema';
import { type Problem, shown } from './problem';

/** The controller's checks of `spec.strategy.blueGreen`. */
export function checkBlueGreen(blueGreen: JsonObject, historyLimit: number, path: Path): Problem[] {
  const active = asText(blueGreen.activeService);
  const limit = numberOf(blueGreen.scaleDownDelayRevisionLimit);
  const found: Problem[] = [];
  if (active === asText(blueGreen.previewService)) {
    found.push({
      rule: 'argo-blue-green-same-service',
      class: 'B1',
      message:
        'This rollout uses the same service for the active and preview services, but two different services are required.',
      path: [...path, 'activeService'],
      text: active === '' ? 'is missing' : `"${active}" is also the previewService`,
    });
  }
  if (limit !== undefined && historyLimit < limit) {
    found.push({
      rule: 'argo-scale-down-limit-too-large',
      class: 'B2',
      message: "This rollout's revision history limit can not be smaller than the rollout's scale down limit",
      path: [...path, 'scaleDownDelayRevisionLimit'],
      text: `${limit} is more than revisionHistoryLimit, which is ${historyLimit}`,
    });
  }
  return [...found, ...checkAntiAffinity(blueGreen, path)];
}

/** The controller's checks of the anti-affinity, for both strategies. */
export function checkAntiAffinity(strategy: JsonObject, at: Path): Problem[] {
  if (!isSet(strategy.antiAffinity)) return [];
  const path = [...at, 'antiAffinity'];
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred, ...rest } = asObject(strategy.antiAffinity);
  const hasRequired = isSet(rest.requiredDuringSchedulingIgnoredDuringExecution);
  const weight = numberOf(asObject(preferred).weight) ?? 0;
  const found: Problem[] = [];
  if (isSet(preferred) === hasRequired) {
    found.push({
      rule: 'argo-anti-affinity-invalid',
      class: 'B3',
      message: 'AntiAffinity must have exactly one strategy listed',
      path,
      text: hasRequired ? 'is both preferred and required' : 'is neither preferred nor required',
    });
  }
  if (isSet(preferred) && (weight < 1 || weight > 100)) {
    found.push({
      rule: 'argo-anti-affinity-invalid',
      class: 'B3',
      field: fieldText([...at.slice(0, 2), 'antiAffinity', 'weight']),
      message: 'AntiAffinity weight must be between 1-100',
      path: [...path, 'preferredDuringSchedulingIgnoredDuringExecution', 'weight'],
      text: `${shown(weight)} is not between 1 and 100`,
    });
  }
  return found;
}
