import { edit } from '../../core/example';
import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary, OBJECTS } from '../admission/rules/examples';
import { classOf } from '../controller/reset';
import { ALB_PATH, type AlbRollout, type ArgoAlbCheck, type ArgoAlbChecker } from './context';
import { type Controller, controllersOf, deployment, watchedClasses } from './install';
import { sources } from './sources';

/** The label with the instance id of the controller that handles a Rollout. */
const LABEL = 'argo-rollouts.argoproj.io/controller-instance-id';
const FLAG = '--instance-id';

/** A second controller of the cluster. */
const OTHER = edit(deployment('--instance-id=team-a'), [
  'name: argo-rollouts, namespace: argo-rollouts',
  'name: argo-rollouts, namespace: team-a',
]);

/** Rules for controllers that share a cluster. */
export const argoInstanceRules = defineRules({
  'argo-instance-unwatched': {
    severity: 'warning',
    title: 'no controller of the stack handles the Rollout',
    because:
      'a controller with --instance-id handles only objects whose label argo-rollouts.argoproj.io/controller-instance-id has ' +
      'that value, and a controller without it only objects without the label; it says nothing about others',
    fix: 'give the Rollout the label with the instance id of its controller, or remove the label',
    basis: 'read',
    sources: [sources.flags],
    failing: canary({ objects: `${OBJECTS}${deployment('--instance-id=team-a')}` }),
    corrected: canary({ objects: `${OBJECTS}${deployment('')}` }),
  },
  'argo-instance-resets-actions': {
    severity: 'error',
    title: 'a controller with another instance id resets the ALB actions of the Rollout',
    because:
      'a controller handles only Rollouts of its own instance id, but the Ingresses of all of them. Where it finds no Rollout ' +
      'for an action, it takes it for that of a deleted one, and sends all requests to the stable Service again: at each ' +
      'write of the other controller, so the canary gets no traffic, or now and then',
    fix: 'let each controller watch namespaces of its own (--namespaced), or classes of its own (--alb-ingress-classes)',
    basis: 'run',
    sources: [sources.reset, sources.flags],
    failing: canary({ objects: `${OBJECTS}${deployment('')}${OTHER}` }),
    corrected: canary({ objects: `${OBJECTS}${deployment('')}${edit(OTHER, ['args: [', 'args: [--namespaced, '])}` }),
  },
});

/** Compares the labels of Rollouts with the instance ids of the controllers in the stack. */
export const checkArgoInstances: ArgoAlbChecker = (check) => [
  ...unwatched(check),
  ...check.rollouts.flatMap((rollout) => resets(rollout, check)),
];

function unwatched(check: ArgoAlbCheck): Finding[] {
  const ids = new Set(controllersOf(check).map(instanceOf));
  if (ids.size === 0) return [];
  return check.world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const own = manifest.labels[LABEL] ?? '';
    if (ids.has(own)) return [];
    const has = own === '' ? `has no label ${LABEL}` : `has the label ${LABEL}: ${own}`;
    const all = [...ids].map((id) => (id === '' ? 'none' : `"${id}"`)).join(', ');
    return [
      manifest.finding(argoInstanceRules['argo-instance-unwatched'], {
        path: ['metadata', 'labels'],
        message: `Rollout "${manifest.name}" ${has}, and the instance ids of the controllers in the stack are: ${all}`,
      }),
    ];
  });
}

/** A Rollout that one controller handles, with an Ingress that a controller with another instance id watches. */
function resets({ manifest, namespace, ingresses }: AlbRollout, check: ArgoAlbCheck): Finding[] {
  const controllers = controllersOf(check);
  const own = manifest.labels[LABEL] ?? '';
  if (!controllers.some((controller) => instanceOf(controller) === own)) return [];
  const classes = ingresses.map(({ manifest: ingress }) => classOf(ingress.object));
  const other = controllers.find(
    (controller) =>
      instanceOf(controller) !== own &&
      seesNamespace(controller, namespace, check) &&
      watchedClasses(controller.args).some((name) => classes.includes(name)),
  );
  if (other === undefined) return [];
  const id = instanceOf(other);
  const which = id === '' ? 'without an instance id' : `with the instance id "${id}"`;
  return [
    manifest.finding(argoInstanceRules['argo-instance-resets-actions'], {
      path: ALB_PATH,
      message: `Deployment "${other.manifest.name}" is a controller ${which}, and watches the Ingress of Rollout "${manifest.name}"`,
      related: { message: 'the other controller', object: other.manifest.ref },
    }),
  ];
}

function seesNamespace({ manifest, args }: Controller, namespace: string, { world }: ArgoAlbCheck): boolean {
  const isNamespaced = args.some(({ text }) => /^--namespaced(=true)?$/.test(text));
  return !isNamespaced || world.namespaceOf(manifest) === namespace;
}

/** The value of `--instance-id`; empty without it. */
function instanceOf({ args }: Controller): string {
  const at = args.findIndex(({ text }) => text === FLAG);
  if (at >= 0) return args[at + 1]?.text ?? '';
  return args.find(({ text }) => text.startsWith(`${FLAG}=`))?.text.slice(FLAG.length + 1) ?? '';
}
