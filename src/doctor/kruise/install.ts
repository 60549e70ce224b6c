/** The questions about the install of Kruise Rollouts. */
import type { CheckupItem } from '../../core/checkup';
import { API_GROUP, LUA_CONFIG_MAP_NAME } from '../../kruise/api';
import { CONTROLLER_NAME } from '../../kruise/install/names';
import {
  customScriptKey,
  ingressScriptKey,
  lookupCustomScript,
  lookupIngressScript,
} from '../../kruise/scripts/lookup';
import { ROLLOUT, type RouteSubject } from '../../kruise/subject';
import { listed, nameOf, Question } from '../question';
import type { KruiseContext } from './context';

/** The questions about the install. */
export function installItems(context: KruiseContext, routes: readonly RouteSubject[]): CheckupItem[] {
  return [crds(context), controller(context), configMap(context, routes)];
}

function crds({ cluster }: KruiseContext): CheckupItem {
  const question = new Question('kruise-crds', 'are the CRDs of Kruise Rollouts installed?', [
    `${API_GROUP} in the API`,
  ]);
  const served = cluster.serves(ROLLOUT);
  if (served === true) return question.ok(`${ROLLOUT} is served`);
  if (served === undefined)
    return question.unknown({ groupKind: ROLLOUT, why: 'the dump holds neither Rollouts nor CRDs' });
  return question.problem(`the API server knows no ${ROLLOUT}`, { fix: 'install Kruise Rollouts with its CRDs' });
}

function controller({ cluster, controllers, version }: KruiseContext): CheckupItem {
  const looked = controllers.map(({ manifest, namespace }) => nameOf(manifest, namespace));
  const asked =
    looked.length > 0 ? looked : [`Deployments named "${CONTROLLER_NAME}" or with the image kruise-rollout`];
  const question = new Question('kruise-controller', 'is the controller installed, and which release?', asked);
  const [first, ...more] = controllers;
  if (first === undefined) {
    const unread = cluster.unread('Deployment.apps');
    if (unread !== undefined) return question.unknown(unread);
    return question.problem('the controller has no Deployment, so nothing acts on Rollouts', {
      fix: 'install Kruise Rollouts',
    });
  }
  if (more.length > 0) {
    return question.problem(`there are ${controllers.length} controllers: ${listed(looked)}`, {
      fix: 'remove all but one',
    });
  }
  const { manifest, container, replicas } = first;
  const image = typeof container.image === 'string' ? container.image : 'no image';
  const available = manifest.get('status.availableReplicas');
  const running = typeof available === 'number' ? available : 0;
  const name = `${nameOf(manifest, first.namespace)} runs ${image}, taken for release ${version}`;
  if (manifest.get('status') !== undefined && running === 0) {
    return question.problem(`${name}; none of its ${replicas} pods is available`, {
      fix: `look at them: kubectl describe pods -n ${first.namespace}`,
    });
  }
  const pods = manifest.get('status') === undefined ? '' : `; ${running} of ${replicas} pods available`;
  return question.ok(`${name}${pods}`);
}

function configMap(context: KruiseContext, routes: readonly RouteSubject[]): CheckupItem {
  const { cluster, namespace, configMap: found, configMapUnread } = context;
  const name = `ConfigMap ${namespace}/${LUA_CONFIG_MAP_NAME}`;
  const question = new Question('kruise-config-map', 'is the ConfigMap of scripts where the controller looks?', [name]);
  if (found !== undefined) {
    const { data } = found.object;
    const keys = typeof data === 'object' && data !== null ? Object.keys(data) : [];
    return question.ok(`${name} is there with ${keys.length === 0 ? 'no keys' : `the keys ${listed(keys.sort())}`}`);
  }
  if (configMapUnread !== undefined) return question.unknown(configMapUnread);
  const needed = [...new Set(routes.flatMap((route) => missingKeys(route, context)))];
  const elsewhere = cluster.world.list('ConfigMap').filter((one) => one.name === LUA_CONFIG_MAP_NAME);
  if (elsewhere.length > 0) {
    const places = elsewhere.map((one) => nameOf(one, cluster.world.namespaceOf(one)));
    return question.problem(`${name} does not exist; there is ${listed(places)}, which the controller never reads`, {
      fix: `move it to the namespace "${namespace}"; the controller needs no restart`,
    });
  }
  if (needed.length === 0) return question.notApplicable(`${name} does not exist, and no Rollout needs a key of it`);
  return question.problem(`${name} does not exist, and Rollouts need the keys ${listed(needed)}`, {
    fix: `create it in the namespace "${namespace}" with these keys; the controller needs no restart`,
  });
}

/** The keys that a route needs, because no built-in script fits it. */
function missingKeys({ ingress, customNetworkRefs }: RouteSubject, { sources }: KruiseContext): string[] {
  const { classType } = ingress ?? {};
  return [
    ...(classType === undefined || lookupIngressScript(classType, sources).found ? [] : [ingressScriptKey(classType)]),
    ...customNetworkRefs.flatMap(({ ref }) => (lookupCustomScript(ref, sources).found ? [] : [customScriptKey(ref)])),
  ];
}
