/** The questions about the install of Argo Rollouts and the options of its controller. */

import { ARGO_ROLLOUT } from '../../argo/admission/findings';
import { type Controller, controllersOf, VERIFY } from '../../argo/rules/install';
import { accountOf } from '../../argo/rules/permissions';
import { IRSA_ROLE } from '../../aws';
import type { CheckupItem } from '../../core/checkup';
import type { LiveCluster } from '../cluster';
import { listed, nameOf, Question } from '../question';

/** All questions about the install. */
export function argoInstallItems(cluster: LiveCluster): CheckupItem[] {
  const controllers = controllersOf(cluster);
  return [
    crds(cluster),
    controller(cluster, controllers),
    ...controllers.slice(0, 1).map((one) => identity(one, cluster)),
  ];
}

function crds(cluster: LiveCluster): CheckupItem {
  const question = new Question('argo-crds', 'are the CRDs of Argo Rollouts installed?', ['argoproj.io in the API']);
  const served = cluster.serves(ARGO_ROLLOUT);
  if (served === true) return question.ok(`${ARGO_ROLLOUT} is served`);
  if (served === undefined) {
    return question.unknown({ groupKind: ARGO_ROLLOUT, why: 'the dump holds neither Rollouts nor CRDs' });
  }
  return question.problem(`the API server knows no ${ARGO_ROLLOUT}`, { fix: 'install Argo Rollouts with its CRDs' });
}

function controller(cluster: LiveCluster, controllers: readonly Controller[]): CheckupItem {
  const names = controllers.map(({ manifest }) => nameOf(manifest, cluster.world.namespaceOf(manifest)));
  const looked = names.length > 0 ? names : ['Deployments with the image argo-rollouts'];
  const question = new Question('argo-controller', 'is the controller installed, and which release?', looked);
  const [first, ...more] = controllers;
  if (first === undefined) {
    const unread = cluster.unread('Deployment.apps');
    if (unread !== undefined) return question.unknown(unread);
    return question.problem('the controller has no Deployment, so nothing acts on Rollouts', {
      fix: 'install Argo Rollouts',
    });
  }
  if (more.length > 0) return question.open(`there are ${controllers.length} controllers: ${listed(names)}`);
  const image = first.manifest.get([...first.path, 'image']);
  const { manifest } = first;
  const available = manifest.get('status.availableReplicas');
  const answer = `${names[0]} runs ${typeof image === 'string' ? image : 'no image'}`;
  if (manifest.get('status') !== undefined && typeof available !== 'number') {
    return question.problem(`${answer}; none of its pods is available`, {
      fix: `look at them: kubectl describe pods -n ${cluster.world.namespaceOf(manifest)}`,
    });
  }
  return question.ok(answer);
}

/** The verification asks AWS, so it needs an identity. */
function identity({ manifest, args }: Controller, cluster: LiveCluster): CheckupItem {
  const namespace = cluster.world.namespaceOf(manifest);
  const account = accountOf(manifest);
  const name = `ServiceAccount ${namespace}/${account}`;
  const flag = args.find(({ text }) => VERIFY.test(text));
  const question = new Question('argo-verification', 'are target groups verified, and may the controller ask AWS?', [
    `flags of ${nameOf(manifest, namespace)}`,
    ...(flag === undefined ? [] : [name]),
  ]);
  if (flag === undefined) {
    return question.notApplicable(
      'the controller has no flag --aws-verify-target-group: it does not wait for the load balancer',
    );
  }
  const found = cluster.world.find('ServiceAccount', account, namespace);
  if (found === undefined) {
    const unread = cluster.unread('ServiceAccount', namespace);
    return unread === undefined
      ? question.problem(`${name} does not exist`, { fix: 'create it, with the role of AWS' })
      : question.unknown(unread);
  }
  const role = found.annotations[IRSA_ROLE];
  if (role !== undefined) return question.ok(`${flag.text} is set, and ${name} has the role ${role}`);
  return question.open(
    `${flag.text} is set, and ${name} has no annotation ${IRSA_ROLE}: it needs an association of EKS Pod Identity, or the role of its node`,
  );
}
