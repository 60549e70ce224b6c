/** Whether the controller can ever see the weights that it waits for: `--aws-verify-target-group`. */

import { readAlbRollout } from '../../argo/controller';
import { asList, asNumber, asObject, partOf } from '../../argo/values';
import type { Finding, World } from '../../core';
import { type AlbGroup, buildModel, type ListenerRule } from '../../routers/aws-alb';
import { rehearsalRules } from '../rules';
import type { Run, SeenMoment } from '../run';
import type { ArgoSubject } from './subject';

/** The weight of a target group as the controller reads it, and the rule that it comes from. */
interface ReadWeight {
  readonly weight: number;
  readonly rule: ListenerRule;
}

/** One finding for the first step whose weight is never verified. */
export function verificationFindings(run: Run, subject: ArgoSubject): Finding[] {
  const alb = readAlbRollout(subject.manifest.object);
  if (alb === undefined) return [];
  for (const seen of run.seen) {
    const { phase, step } = seen.moment;
    const object = phase === 'step' && step !== undefined ? run.rollout.steps[step]?.object : undefined;
    const weight = asNumber(object?.setWeight);
    const pods = seen.moment.pods.some(({ revision, replicas }) => revision === 'canary' && replicas > 0);
    if (step === undefined || weight === undefined || !pods) continue;
    const message = whyNot(seen, subject, alb.servicePort, weight);
    if (message === undefined) continue;
    return [
      subject.manifest.finding(rehearsalRules['rehearsal-verification-fails'], {
        message: `steps[${step}] is never done: ${message}`,
        path: [...run.rollout.steps[step]!.path, 'setWeight'],
        step,
      }),
    ];
  }
  return countFindings(run, subject);
}

function whyNot({ moment }: SeenMoment, subject: ArgoSubject, port: number, weight: number): string | undefined {
  const { groups } = buildModel(moment.world);
  const { canaryService } = subject.route;
  for (const name of subject.ingresses) {
    const group = groupOf(groups, moment.world, subject, name);
    // Nothing changes on a frozen load balancer, which is said elsewhere.
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

/** Weighted experiments are counted once per Ingress, and expected once. */
function countFindings({ rollout }: Run, { manifest, ingresses }: ArgoSubject): Finding[] {
  const step = rollout.steps.find(({ object }) =>
    asList(partOf(object, 'experiment')?.templates).some(
      (template) => asNumber(asObject(template).weight) !== undefined,
    ),
  );
  if (step === undefined || ingresses.length < 2) return [];
  return [
    manifest.finding(rehearsalRules['rehearsal-verification-fails'], {
      message: `steps[${step.index}] has an experiment with weights, which the controller counts once for each of ${ingresses.length} Ingresses and expects once`,
      path: [...step.path, 'experiment'],
      step: step.index,
    }),
  ];
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

/** The last rule of all listeners wins, as the controller goes through them. */
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
