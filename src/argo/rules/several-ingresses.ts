import type { Finding } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asObject, asText, numberOf } from '../../core/json';
import { defineRules } from '../../core/rule';
import { placed } from '../admission/findings';
import { canary, ingress, service } from '../admission/rules/examples';
import {
  type AlbResult,
  actionKey,
  type AlbRollout as ControllerRollout,
  readAlbRollout,
  setWeight,
} from '../controller';
import { weightAction } from '../controller/actions';
import { annotationsOf, withAnnotations } from '../controller/alb';
import { currentIngress } from '../ingress-versions';
import type { AlbRollout, ArgoAlbChecker } from './context';
import { sources } from './sources';

const several = (names: string) =>
  canary({
    routing: `alb: {ingresses: [${names}], servicePort: 80}`,
    objects: `${service('shop-stable')}${service('shop-canary')}${ingress()}${ingress({ name: 'inner' })}`,
  });

/** Rules for Rollouts with several Ingresses. */
export const argoSeveralIngressesRules = defineRules({
  'argo-alb-ingress-not-reached': {
    severity: 'error',
    title: 'Argo does not reach one of several Ingresses',
    because:
      'Argo writes the Ingresses in order and stops at the first that needs no change: later Ingresses keep their ' +
      'action, or answer 503 if they have no action yet',
    fix: 'list every Ingress once, and remove the actions that Argo writes from all manifests',
    basis: 'read',
    rehearsedAs: ['rehearsal-requests-fail'],
    sources: [sources.alb],
    failing: several('shop, shop, inner'),
    corrected: several('shop, inner'),
  },
});

/** Plays a first deployment and an apply during a release, and reports Ingresses without the weights. */
export const checkSeveralIngresses: ArgoAlbChecker = ({ world, rollouts }) =>
  rollouts.flatMap((rollout) => {
    const alb = readAlbRollout(placed(rollout.manifest, world));
    const isWhole = rollout.ingresses.length === rollout.ingressNames.length;
    if (alb === undefined || alb.ingresses.length < 2 || !isWhole) return [];
    const declared = rollout.ingresses.map(({ manifest }) => currentIngress(placed(manifest, world)));
    const deployed = setWeight(alb, declared, 0);
    const weight = firstWeight(rollout);
    const released = setWeight(alb, deployed.ingresses, weight);
    const applied = released.ingresses.map((object, index) => withDeclared(object, declared[index]!));
    return [
      ...unreached(rollout, alb, deployed, 0, 'after the first deployment'),
      ...unreached(rollout, alb, setWeight(alb, applied, weight), weight, 'after an apply during a release'),
    ].filter(firstOfEach);
  });

function firstWeight({ steps }: AlbRollout): number {
  return steps.map(({ step }) => numberOf(step.setWeight) ?? 0).find((weight) => weight > 0) ?? 0;
}

/** An Ingress after its manifest is applied again: with the annotations of the manifest. */
function withDeclared(live: JsonObject, declared: JsonObject): JsonObject {
  return withAnnotations(live, new Map([...annotationsOf(live), ...annotationsOf(declared)]));
}

function unreached(
  rollout: AlbRollout,
  alb: ControllerRollout,
  { ingresses, error }: AlbResult,
  weight: number,
  when: string,
): Finding[] {
  // Another finding reports an error of Argo.
  if (error !== undefined) return [];
  const key = actionKey(alb, alb.actionService);
  const action = weightAction(alb, weight, []);
  const behind = ingresses.filter((object) => annotationsOf(object).get(key) !== action);
  return behind.flatMap((object) => {
    const name = asText(asObject(object.metadata).name);
    const subject = rollout.ingresses.find(({ manifest }) => manifest.name === name);
    if (subject === undefined) return [];
    const what = annotationsOf(object).has(key) ? 'the action of its manifest' : `no annotation ${key}`;
    return [
      subject.manifest.finding(argoSeveralIngressesRules['argo-alb-ingress-not-reached'], {
        path: ['metadata', 'annotations'],
        message: `Ingress "${name}" of Rollout "${rollout.manifest.name}": ${when} it has ${what}, because Argo stops at an earlier one that needs no change`,
        related: { message: `Rollout "${rollout.manifest.name}" is declared here`, object: rollout.manifest.ref },
      }),
    ];
  });
}

function firstOfEach(finding: Finding, index: number, all: readonly Finding[]): boolean {
  return all.findIndex(({ object }) => object?.name === finding.object?.name) === index;
}
