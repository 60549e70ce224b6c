import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary, OBJECTS } from '../admission/rules/examples';
import type { ArgoAlbChecker } from './context';
import { type Controller, controllersOf, deployment } from './install';
import { sources } from './sources';

/** The label with the instance id of the controller that handles a Rollout. */
const LABEL = 'argo-rollouts.argoproj.io/controller-instance-id';
const FLAG = '--instance-id';

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
});

/** Compares the labels of Rollouts with the instance ids of the controllers in the stack. */
export const checkArgoInstances: ArgoAlbChecker = (check) => {
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
};

/** The value of `--instance-id`; empty without it. */
function instanceOf({ args }: Controller): string {
  const at = args.findIndex(({ text }) => text === FLAG);
  if (at >= 0) return args[at + 1]?.text ?? '';
  return args.find(({ text }) => text.startsWith(`${FLAG}=`))?.text.slice(FLAG.length + 1) ?? '';
}
