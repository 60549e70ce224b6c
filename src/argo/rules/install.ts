import type { Finding } from '../../core/finding';
import { asList, asObject, asText } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import type { World } from '../../core/world';
import { canary, ingress, OBJECTS, service } from '../admission/rules/examples';
import { classOf } from '../controller/reset';
import { ALB_PATH, type ArgoAlbCheck, experimentWeights } from './context';
import { sources } from './sources';

/** The Deployment of the controller, for examples. */
export const deployment = (args: string, env = '[]') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: argo-rollouts}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argo-rollouts}}
    spec:
      containers:
        - {name: argo-rollouts, image: "quay.io/argoproj/argo-rollouts:v1.9.1", args: [${args}], env: ${env}}
`;
const only = (args: string, env?: string) =>
  ({ language: 'yaml', text: deployment(args, env).replace('---\n', '') }) as const;
const classed = (args: string) =>
  canary({ objects: `${OBJECTS.replace('ingressClassName: alb', 'ingressClassName: public')}${deployment(args)}` });

/** The variable with the region of the controller, for examples. */
export const REGION = '[{name: AWS_REGION, value: eu-west-1}]';
const several = (steps: string) =>
  canary({
    routing: 'alb: {ingresses: [shop, inner], servicePort: 8080}',
    steps,
    objects:
      `${service('shop-stable')}${service('shop-canary')}${ingress()}${ingress({ name: 'inner' })}${deployment('--aws-verify-target-group', REGION)}`.replaceAll(
        'port: 80,',
        'port: 8080,',
      ),
  });

/** Rules for the controller's Deployment. */
export const argoControllerRules = defineRules({
  'argo-controller-flag-unknown': {
    severity: 'error',
    title: 'the Argo Rollouts controller has the flag --aws-region, which does not exist',
    because: 'the documentation calls the flag mandatory, but the controller exits on an unknown flag',
    fix: 'set the environment variable AWS_REGION instead',
    basis: 'read',
    sources: [sources.flags],
    failing: only('--aws-region=eu-west-1'),
    corrected: only('--aws-verify-target-group', REGION),
  },
  'argo-controller-retry-interval': {
    severity: 'error',
    title: 'ROLLOUT_VERIFY_RETRY_INTERVAL is set',
    because: 'the controller ignores a number and reads any other text as 0, so that it calls AWS without a pause',
    fix: 'remove the variable',
    basis: 'read',
    sources: [sources.defaults],
    failing: only('', '[{name: ROLLOUT_VERIFY_RETRY_INTERVAL, value: "10"}]'),
    corrected: only(''),
  },
  'argo-controller-without-region': {
    severity: 'warning',
    title: 'the controller verifies target groups, but the AWS region is not set',
    because:
      'the controller reads the region from the metadata of the node, which pods often cannot reach: verification fails',
    fix: 'set the environment variable AWS_REGION',
    basis: 'read',
    sources: [sources.verification],
    failing: only('--aws-verify-target-group'),
    corrected: only('--aws-verify-target-group', REGION),
  },
  'argo-controller-classes-joined': {
    severity: 'error',
    title: '--alb-ingress-classes has several classes in one value',
    because: 'the flag does not split at commas: the controller looks for a class with the whole text as its name',
    fix: 'repeat the flag, once for each class',
    basis: 'read',
    sources: [sources.flags],
    failing: only("'--alb-ingress-classes=alb,public'"),
    corrected: only('--alb-ingress-classes=alb, --alb-ingress-classes=public'),
  },
  'argo-alb-ingress-class-unwatched': {
    severity: 'warning',
    title: 'the class of an Ingress is not in --alb-ingress-classes',
    because:
      'canaries work, but Argo does not react immediately to changes of the Ingress, and does not reset the weights when the ' +
      'Rollout is deleted',
    fix: 'add the flag --alb-ingress-classes with the class',
    basis: 'read',
    sources: [sources.reset, sources.flags],
    failing: classed(''),
    corrected: classed('--alb-ingress-classes=public'),
  },
  'argo-alb-verification-impossible': {
    severity: 'warning',
    title: 'a Rollout has several Ingresses and weighted experiments, and the controller verifies weights',
    because:
      'Argo counts the target groups of an experiment once per Ingress, but expects them once: verification never succeeds',
    fix: 'use one Ingress, remove the weights from the experiment, or disable verification',
    basis: 'read',
    sources: [sources.alb],
    failing: several('- experiment: {templates: [{name: a, specRef: canary, weight: 10}]}'),
    corrected: several('- setWeight: 10'),
  },
});

/** A container of a controller. */
export interface Controller {
  readonly manifest: Manifest;
  readonly args: readonly { readonly text: string; readonly path: Path }[];
  readonly env: readonly { readonly name: string; readonly path: Path }[];
  readonly path: Path;
}

const IMAGE = /(^|\/)argo-rollouts(:|@|$)/;
export const VERIFY = /^--(aws-verify-target-group|alb-verify-weight)(=true)?$/;
const CLASSES = '--alb-ingress-classes';

/** The containers of all controllers. */
export function controllersOf({ world }: Pick<ArgoAlbCheck, 'world'>): readonly Controller[] {
  return world.memo(readControllers);
}

function readControllers(world: World): readonly Controller[] {
  return world.list('Deployment.apps').flatMap((manifest) => {
    const path = ['spec', 'template', 'spec', 'containers'];
    return asList(manifest.get(path)).flatMap((one, index) => {
      const { image, name, args, command, env } = asObject(one);
      if (!IMAGE.test(asText(image)) && asText(name) !== 'argo-rollouts') return [];
      const texts = (list: unknown, field: string) =>
        asList(list).map((text, at) => ({ text: asText(text), path: [...path, index, field, at] }));
      return [
        {
          manifest,
          path: [...path, index],
          args: [...texts(command, 'command'), ...texts(args, 'args')],
          env: asList(env).map((variable, at) => ({
            name: asText(asObject(variable).name),
            path: [...path, index, 'env', at],
          })),
        },
      ];
    });
  });
}

/** Whether a controller in the World verifies weights and targets. */
export function verifiesTargetGroups(world: World): boolean {
  return controllersOf({ world }).some(({ args }) => args.some(({ text }) => VERIFY.test(text)));
}

/** Checks the Deployment of the controller, and Rollouts against its flags. */
export function checkArgoController(check: ArgoAlbCheck): Finding[] {
  const controllers = controllersOf(check);
  return [...controllers.flatMap(controllerFindings), ...controllers.flatMap((one) => rolloutFindings(one, check))];
}

function controllerFindings({ manifest, args, env, path }: Controller): Finding[] {
  const of = `Deployment "${manifest.name}"`;
  const hasRegion = env.some(({ name }) => name === 'AWS_REGION' || name === 'AWS_DEFAULT_REGION');
  const interval = env.find(({ name }) => name === 'ROLLOUT_VERIFY_RETRY_INTERVAL');
  const verify = args.find(({ text }) => VERIFY.test(text));
  return [
    ...args
      .filter(({ text }) => /^--aws-region(=|$)/.test(text))
      .map(({ text, path: at }) =>
        manifest.finding(argoControllerRules['argo-controller-flag-unknown'], {
          path: at,
          message: `${of} has the flag ${text}`,
        }),
      ),
    ...args
      .filter(({ text }) => text.startsWith(`${CLASSES}=`) && text.includes(','))
      .map(({ text, path: at }) =>
        manifest.finding(argoControllerRules['argo-controller-classes-joined'], {
          path: at,
          message: `${of} has the flag ${text}`,
        }),
      ),
    ...(interval === undefined
      ? []
      : [
          manifest.finding(argoControllerRules['argo-controller-retry-interval'], {
            path: interval.path,
            message: `${of} sets ROLLOUT_VERIFY_RETRY_INTERVAL`,
          }),
        ]),
    ...(verify === undefined || hasRegion
      ? []
      : [
          manifest.finding(argoControllerRules['argo-controller-without-region'], {
            path,
            message: `${of} has ${verify.text}, but no AWS_REGION`,
          }),
        ]),
  ];
}

/** The classes of the Ingresses that a controller watches as those of an ALB. */
export function watchedClasses(args: Controller['args']): readonly string[] {
  const classes = args.flatMap(({ text }, index) => {
    if (text === CLASSES) return [args[index + 1]?.text ?? ''];
    return text.startsWith(`${CLASSES}=`) ? [text.slice(CLASSES.length + 1)] : [];
  });
  return classes.length === 0 ? ['alb'] : classes;
}

function rolloutFindings({ args }: Controller, { rollouts }: ArgoAlbCheck): Finding[] {
  const watched = watchedClasses(args);
  const verifies = args.some(({ text }) => VERIFY.test(text));
  return rollouts.flatMap(({ manifest, ingresses, ingressNames, steps }) => {
    const unwatched = ingresses.flatMap(({ manifest: object }) => {
      const name = classOf(object.object);
      if (watched.includes(name)) return [];
      return [
        object.finding(argoControllerRules['argo-alb-ingress-class-unwatched'], {
          path: ['spec'],
          message: `Ingress "${object.name}" of Rollout "${manifest.name}" has the class "${name}", but the controller watches ${watched.join(', ')}`,
        }),
      ];
    });
    const hasWeights = steps.some(({ step }) => experimentWeights(step).length > 0);
    if (!verifies || ingressNames.length < 2 || !hasWeights) return unwatched;
    return [
      ...unwatched,
      manifest.finding(argoControllerRules['argo-alb-verification-impossible'], {
        path: ALB_PATH,
        message: `Rollout "${manifest.name}" has ${ingressNames.length} Ingresses and an experiment with weights, and the controller verifies weights`,
      }),
    ];
  });
}
