/** Whether the controller can verify the weights that it waits for, with `--aws-verify-target-group`. */

import type { World } from '../../core';
import { numberOf } from '../../core/json';
import type { Moment, Remark, SeenRelease } from '../../release';
import { type AlbGroup, buildModel, type ListenerRule } from '../../routers/aws-alb';
import { readAlbRollout } from '../controller';
import { argoReleaseRules } from './rules';
import type { ArgoSubject } from './subject';

/** The weight of a target group that the controller reads, and the rule that holds it. */
interface ReadWeight {
  readonly weight: number;
  readonly rule: ListenerRule;
}

/**
 * A remark on the first weight that can never be verified. The controller verifies at steps with `setWeight` and after the
 * last step, and continues only if it succeeds.
 */
export function verificationRemarks(subject: ArgoSubject, { moments }: SeenRelease): Remark[] {
  const alb = readAlbRollout(subject.manifest.object);
  if (alb === undefined) return [];
  const end = moments.find(({ moment }) => moment.phase === 'finish' && isReady(moment))?.moment;
  for (const { moment } of moments) {
    const weight = moment === end ? weightAtEnd(moment) : weightAtStep(moment, subject);
    const message = weight === undefined ? undefined : whyNot(moment, subject, alb.servicePort, weight);
    if (message === undefined) continue;
    const { step } = moment;
    const what = step === undefined ? 'the release never ends' : `steps[${step}] is never done`;
    return [
      {
        rule: argoReleaseRules['rehearsal-verification-fails'],
        message: `${what}: ${message}`,
        path: step === undefined ? subject.path : [...subject.path, 'steps', step, 'setWeight'],
        ...(step === undefined ? {} : { step }),
      },
    ];
  }
  return [];
}

/** The weight that the controller waits for after the last step; without steps there is none. */
function weightAtEnd({ declared }: Moment): number | undefined {
  return declared?.share === 1 ? 100 : undefined;
}

/** The weight that the controller waits for at a step. */
function weightAtStep(moment: Moment, { steps }: ArgoSubject): number | undefined {
  const { phase, step } = moment;
  return phase === 'step' && step !== undefined && isReady(moment) ? numberOf(steps[step]?.setWeight) : undefined;
}

function isReady({ pods }: Moment): boolean {
  return pods.some(({ revision, replicas }) => revision === 'canary' && replicas > 0);
}

function whyNot({ world }: Moment, subject: ArgoSubject, port: number, weight: number): string | undefined {
  const { groups } = buildModel(world);
  const { canaryService } = subject.traffic;
  for (const name of subject.ingresses) {
    const group = groupOf(groups, world, subject, name);
    // A frozen load balancer has a finding of its own.
    if (group === undefined || group.failure !== undefined) continue;
    const read = weightRead(group, name, subject.namespace, canaryService, port);
    if (read === undefined) {
      return `the controller waits for ${weight} as the weight of Service "${canaryService}", and no rule of Ingress "${name}" leads to it`;
    }
    if (read.weight !== weight) {
      return `the controller waits for ${weight} as the weight of Service "${canaryService}" of Ingress "${name}", and reads ${read.weight} from rule ${read.rule.priority}, the last one that names it`;
    }
  }
  return undefined;
}

function groupOf(
  groups: readonly AlbGroup[],
  world: World,
  { namespace }: ArgoSubject,
  name: string,
): AlbGroup | undefined {
  const manifest = world.find('Ingress.networking.k8s.io', name, namespace);
  return groups.find(({ members }) => members.some((member) => member.manifest === manifest));
}

/** The weight in the last rule of all listeners, which overrides the others in the controller. */
function weightRead(
  { listeners }: AlbGroup,
  ingress: string,
  namespace: string,
  service: string,
  port: number,
): ReadWeight | undefined {
  const reads = listeners.flatMap(({ rules }) =>
    rules
      .filter((rule) => rule.ingress.name === ingress && rule.ingress.namespace === namespace)
      .flatMap((rule) =>
        rule.actions.flatMap((action): ReadWeight[] =>
          action.type !== 'forward'
            ? []
            : action.targetGroups.flatMap((target) =>
                'service' in target && target.service === service && target.port === port
                  ? [{ weight: target.weight ?? 1, rule }]
                  : [],
              ),
        ),
      ),
  );
  return reads.at(-1);
}
