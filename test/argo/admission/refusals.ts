import { admitArgoRollout, allProblems } from '../../../src/argo/admission/admit';
import type { ArgoCluster } from '../../../src/argo/admission/cluster';
import type { Json, JsonObject } from '../../../src/core/json';
import { formatPath } from '../../../src/core/path';

const LABELS = { app: 'shop' };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'example.com/web' }] } };

/** A Rollout with these fields of its spec; undefined removes one. */
export function rolloutWith(spec: Readonly<Record<string, Json | undefined>>): JsonObject {
  const whole = { selector: { matchLabels: LABELS }, template: TEMPLATE, ...spec };
  const set = Object.entries(whole).filter(([, value]) => value !== undefined);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'shop', namespace: 'shop' },
    spec: Object.fromEntries(set) as JsonObject,
  };
}

/** A Rollout with this canary. */
export function canaryWith(canary: JsonObject): JsonObject {
  return rolloutWith({ strategy: { canary } });
}

/**
 * Everything that is refused in a Rollout: the rule, the controller's check, and the path in the manifest. The controller's own field is
 * shown where it is not the path without the name of the strategy.
 *
 * `argo-step-empty C11 spec.strategy.canary.steps[1], step 1`
 */
export function refusalsOf(rollout: JsonObject, cluster: ArgoCluster = {}): string[] {
  const { object } = admitArgoRollout(rollout, cluster);
  return allProblems(object, cluster).map(({ rule, class: check, field, path, step, absent, about, stage }) => {
    const at = formatPath(path);
    const expected = stage === 'spec' ? at.replace(/^spec\.strategy\.(canary|blueGreen)/, 'spec.strategy') : at;
    return [
      `${rule} ${check} ${at}`,
      ...(stage === 'lint' ? ['only by lint'] : []),
      ...(field === expected ? [] : [`as ${field}`]),
      ...(step === undefined ? [] : [`step ${step}`]),
      ...(absent === undefined ? [] : [`no ${absent.kind} ${absent.name} of ${absent.apiVersion}`]),
      ...(about === undefined ? [] : [`about ${about.kind} ${about.name}`]),
    ].join(', ');
  });
}
