import type { Finding } from '../../core/finding';
import { asObject, asText, isSet, numberOf } from '../../core/json';
import { defineRules } from '../../core/rule';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { ARGO_ROLLOUT } from '../admission/findings';
import { blueGreen, ingress, TEMPLATE } from '../admission/rules/examples';
import { delayOf } from '../controller';
import { undoesAtOnce } from '../controller/blue-green-release';
import { hangsWithinWindow } from '../controller/rollback-window';
import { ArgoRolloutsVersion } from '../version';
import { type ArgoAlbChecker, ingressSubject } from './context';
import { controllersOf, deployment, REGION, VERIFY } from './install';

const behindAlb = (args: string) => {
  const { text } = blueGreen('activeService: shop-active, previewService: shop-preview');
  const active = ingress({ backend: '{service: {name: shop-active, port: {number: 80}}}' });
  return { language: 'yaml' as const, text: `${text}${active}${deployment(args, REGION)}` };
};

const withSeconds = (more: string) =>
  blueGreen(`activeService: shop-active, previewService: shop-preview, autoPromotionSeconds: 60${more}`);

const analysedAfter = (more: string) => {
  const { text } = blueGreen(
    `activeService: shop-active, previewService: shop-preview, abortScaleDownDelaySeconds: 0, ${more}, postPromotionAnalysis: {templates: [{templateName: shop}]}`,
  );
  return { language: 'yaml' as const, text: `${text}${TEMPLATE}` };
};

/** Rules for blue-green Rollouts. */
export const argoBlueGreenRules = defineRules({
  'argo-blue-green-unverified': {
    severity: 'warning',
    title: 'a blue-green Rollout is behind an ALB in ip mode, but the controller does not verify target groups',
    because:
      'Argo changes the selector of the active Service. Pods get no readiness gate for a Service that does not select ' +
      'them at creation, so Argo may remove the old pods before the load balancer has registered the new ones',
    fix: 'add the flag --aws-verify-target-group to the Argo Rollouts controller, or use a canary with pingPong',
    basis: 'documented',
    sources: ['https://argo-rollouts.readthedocs.io/en/stable/features/traffic-management/alb/'],
    failing: behindAlb(''),
    corrected: behindAlb('--aws-verify-target-group'),
  },
  'argo-auto-promotion-seconds-ignored': {
    severity: 'warning',
    title: 'autoPromotionSeconds is set, and autoPromotionEnabled is false',
    because:
      'with autoPromotionEnabled: false the controller never reads autoPromotionSeconds, and waits for people for ever',
    fix: 'remove autoPromotionEnabled: false to promote after that time, or remove autoPromotionSeconds',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/master/rollout/pause.go'],
    failing: withSeconds(', autoPromotionEnabled: false'),
    corrected: withSeconds(''),
  },
  'argo-undo-waits': {
    severity: 'note',
    title: 'a roll-back while the analysis after the promotion runs leaves all users on the new version',
    because:
      'before release 1.10 the controller releases the old version like any other one: the active Service stays at the new version until ' +
      'somebody promotes the roll-back, also after an analysis that is inconclusive; an abort goes back at once',
    fix: 'abort the release before you roll it back, promote the roll-back, or use release 1.10',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/bluegreen.go'],
    failing: analysedAfter('autoPromotionEnabled: false'),
    corrected: analysedAfter('autoPromotionEnabled: true'),
  },
  'argo-rollback-window-hangs': {
    severity: 'warning',
    title: 'a blue-green roll-back within rollbackWindow never ends once the old pods have gone',
    because:
      'before release 1.10 the controller ends each pause of such a release as soon as it has begun, skips the analysis, and waits for both: ' +
      'it is not paused, a promotion has no effect, and only a full promotion ends it. Release 1.10 makes the old version active at once, unless ' +
      'previewReplicaCount gives it too few pods',
    fix: 'remove rollbackWindow, or use release 1.10 without previewReplicaCount; to end a roll-back that hangs, promote it fully',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/bluegreen.go'],
    failing: blueGreen(
      'activeService: shop-active, previewService: shop-preview, autoPromotionEnabled: false, abortScaleDownDelaySeconds: 0',
      'rollbackWindow: {revisions: 2}',
    ),
    corrected: blueGreen(
      'activeService: shop-active, previewService: shop-preview, autoPromotionEnabled: false, abortScaleDownDelaySeconds: 0',
    ),
  },
  'argo-retry-skips-pause': {
    severity: 'note',
    title: 'a retry soon after an abort promotes the new version without a pause or an analysis',
    because:
      'before release 1.10 the controller promotes a blue-green version at once whose pods are about to go: that is the quick way back to an ' +
      'older version, but a retry within abortScaleDownDelaySeconds (30 by default) takes it too, even after an analysis that failed, and so ' +
      'does a version that is released again soon after a roll-back',
    fix: 'retry only when the new pods are gone; set abortScaleDownDelaySeconds: 0, with which they stay and a retry pauses; or use release 1.10',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/bluegreen.go'],
    failing: blueGreen('activeService: shop-active, previewService: shop-preview, autoPromotionEnabled: false'),
    corrected: blueGreen(
      'activeService: shop-active, previewService: shop-preview, autoPromotionEnabled: false, abortScaleDownDelaySeconds: 0',
    ),
  },
});

/** Checks blue-green Rollouts against the flags of the controller, if its Deployment is among the manifests. */
export const checkArgoBlueGreen: ArgoAlbChecker = (check) => {
  const { world } = check;
  const controllers = controllersOf(check);
  if (controllers.length === 0) return [];
  if (controllers.some(({ args }) => args.some(({ text }) => VERIFY.test(text)))) return [];
  return world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const { blueGreen: strategy } = asObject(asObject(manifest.object.spec).strategy);
    const active = asText(asObject(strategy).activeService);
    if (!isSet(strategy) || active === '') return [];
    const behind = world
      .list('Ingress.networking.k8s.io', world.namespaceOf(manifest))
      .filter(({ annotations }) => annotations[annotationKey('target-type')] === 'ip')
      .find((object) => ingressSubject(object).paths.some(({ service }) => service === active));
    if (behind === undefined) return [];
    return [
      manifest.finding(argoBlueGreenRules['argo-blue-green-unverified'], {
        path: ['spec', 'strategy', 'blueGreen', 'activeService'],
        message: `activeService "${active}" of Rollout "${manifest.name}" is behind Ingress "${behind.name}" in ip mode, but Deployment "${controllers[0]!.manifest.name}" does not verify target groups`,
      }),
    ];
  });
};

/** Checks that the time after which a Rollout promotes itself counts. */
export const checkAutoPromotion: ArgoAlbChecker = ({ world }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const { blueGreen: strategy } = asObject(asObject(manifest.object.spec).strategy);
    const { autoPromotionEnabled, autoPromotionSeconds } = asObject(strategy);
    if (autoPromotionEnabled !== false || (numberOf(autoPromotionSeconds) ?? 0) <= 0) return [];
    return [
      manifest.finding(argoBlueGreenRules['argo-auto-promotion-seconds-ignored'], {
        path: ['spec', 'strategy', 'blueGreen', 'autoPromotionSeconds'],
        message: `Rollout "${manifest.name}" never promotes itself after ${autoPromotionSeconds} seconds, because autoPromotionEnabled is false`,
      }),
    ];
  });

/** Checks whether a retry can skip what a release waits for. */
export const checkRetry: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    if (!version.facts.fastTracksNewerVersions) return [];
    const strategy = asObject(asObject(asObject(manifest.object.spec).strategy).blueGreen);
    const { autoPromotionEnabled, prePromotionAnalysis, previewReplicaCount } = strategy;
    const waitsFor =
      autoPromotionEnabled === false ? 'its pause' : isSet(prePromotionAnalysis) ? 'its analysis' : undefined;
    const { seconds } = delayOf(strategy, 'abortScaleDownDelaySeconds');
    // With another number of previews, pods are added first.
    if (waitsFor === undefined || seconds === 0 || isSet(previewReplicaCount)) return [];
    return [
      manifest.finding(argoBlueGreenRules['argo-retry-skips-pause'], {
        path: ['spec', 'strategy', 'blueGreen'],
        message: `a retry within ${seconds} seconds of an abort promotes Rollout "${manifest.name}" without ${waitsFor}, in Argo Rollouts ${version}`,
      }),
    ];
  });

/** Checks whether a roll-back has to be promoted while all users have the new version. */
export const checkUndo: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const strategy = asObject(asObject(asObject(manifest.object.spec).strategy).blueGreen);
    const { autoPromotionEnabled, postPromotionAnalysis } = strategy;
    if (undoesAtOnce(strategy, version) || autoPromotionEnabled !== false || !isSet(postPromotionAnalysis)) return [];
    return [
      manifest.finding(argoBlueGreenRules['argo-undo-waits'], {
        path: ['spec', 'strategy', 'blueGreen', 'postPromotionAnalysis'],
        message: `a roll-back of Rollout "${manifest.name}" after its promotion waits for another promotion, in Argo Rollouts ${version}, until this analysis is over`,
      }),
    ];
  });

/** Checks that a roll-back within the window ends. */
export const checkRollbackWindow: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const why = hangsWithinWindow(manifest.object, version);
    if (why === undefined) return [];
    return [
      manifest.finding(argoBlueGreenRules['argo-rollback-window-hangs'], {
        path: ['spec', 'rollbackWindow'],
        message: `once its old pods have gone, Rollout "${manifest.name}" does not go back to them within rollbackWindow, in Argo Rollouts ${version}: ${why}`,
      }),
    ];
  });
