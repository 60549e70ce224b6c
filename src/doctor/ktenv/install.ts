/** The questions about the parts of KtEnv that a cluster has once. */
import { isJsonObject, ownValue } from '../../core';
import type { CheckupItem } from '../../core/checkup';
import { VIRTUAL_ENVIRONMENT } from '../../ktenv/controller';
import { certificatesIn, decoded } from '../../ktenv/install/certificate';
import { labelsOfWebhook, webhookDeploymentsIn, webhookEntriesIn } from '../../ktenv/rules/installed';
import type { LiveCluster } from '../cluster';
import { listed, nameOf, Question } from '../question';

const CONFIGURATION = 'MutatingWebhookConfiguration.admissionregistration.k8s.io';

/** The questions about the cluster as a whole. */
export function ktenvInstallItems(cluster: LiveCluster): CheckupItem[] {
  return [crd(cluster), webhook(cluster), asked(cluster)];
}

function crd(cluster: LiveCluster): CheckupItem {
  const question = new Question('ktenv-crd', 'is the CRD of KtEnv installed?', ['env.alibaba.com in the API']);
  const served = cluster.serves(VIRTUAL_ENVIRONMENT);
  if (served === true) return question.ok(`${VIRTUAL_ENVIRONMENT} is served`);
  if (served === undefined) {
    return question.unknown({ groupKind: VIRTUAL_ENVIRONMENT, why: 'the dump holds neither of them nor CRDs' });
  }
  return question.problem(`the API server knows no ${VIRTUAL_ENVIRONMENT}`, { fix: 'apply the CRD of KtEnv' });
}

function webhook(cluster: LiveCluster): CheckupItem {
  const deployments = webhookDeploymentsIn(cluster.world);
  const names = deployments.map((one) => nameOf(one, cluster.world.namespaceOf(one)));
  const looked = names.length > 0 ? names : ['Deployments with the image virtual-env-admission-webhook'];
  const question = new Question('ktenv-webhook', 'does the webhook that tags pods run?', looked);
  const [first] = deployments;
  if (first === undefined) {
    const unread = cluster.unread('Deployment.apps');
    if (unread !== undefined) return question.unknown(unread);
    return question.problem('the webhook has no Deployment, so pods get no tag', {
      fix: 'install the webhook of KtEnv',
    });
  }
  if (first.get('status') !== undefined && typeof first.get('status.availableReplicas') !== 'number') {
    return question.problem(`${names[0]} has no pod that is available; pods cannot be created where it is asked`, {
      fix: `look at it: kubectl describe pods -n ${cluster.world.namespaceOf(first)}`,
    });
  }
  return question.ok(
    `${names[0]} runs and looks for the labels ${listed(labelsOfWebhook(first) ?? ['(not readable)'])}`,
  );
}

/** The webhook configuration and its authority. The certificate is in a Secret, which is not read. */
function asked(cluster: LiveCluster): CheckupItem {
  const entries = webhookEntriesIn(cluster.world);
  const names = entries.map(({ configuration }) => nameOf(configuration));
  const looked = names.length > 0 ? names : [`${CONFIGURATION.split('.')[0]}s for the label environment-tag-injection`];
  const question = new Question('ktenv-webhook-asked', 'does the API server ask the webhook, and trust it?', looked);
  const [first] = entries;
  if (first === undefined) {
    const unread = cluster.unread(CONFIGURATION);
    if (unread !== undefined) return question.unknown(unread);
    return question.problem('no configuration makes the API server ask the webhook', {
      fix: 'apply the MutatingWebhookConfiguration of KtEnv',
    });
  }
  const client = ownValue(first.webhook, 'clientConfig');
  const bundle = isJsonObject(client) ? client.caBundle : undefined;
  if (typeof bundle !== 'string' || bundle === '') {
    return question.problem(`${names[0]} has no caBundle, so the API server does not trust the webhook`, {
      fix: 'write the authority of the certificate of the webhook into caBundle',
    });
  }
  const authorities = certificatesIn(decoded(bundle));
  const { now } = cluster;
  const valid = authorities.filter(({ validTo }) => now === undefined || validTo.getTime() > now.getTime());
  if (valid.length === 0) {
    const why = authorities.length === 0 ? 'holds no certificate' : `ended on ${authorities[0]!.validTo.toUTCString()}`;
    return question.problem(`caBundle of ${names[0]} ${why}, so the API server does not trust the webhook`, {
      fix: 'renew the certificate of the webhook, and write its authority into caBundle',
    });
  }
  return question.ok(`${names[0]} asks it and has an authority in caBundle`);
}
