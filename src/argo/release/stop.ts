/** What stops the controller of Argo Rollouts, as a finding. */
import type { ReleaseStop, Remark, SharedRule } from '../../release';
import type { AlbFailure, AlbFailureClass, ArgoMoment, ArgoPlay } from '../controller';
import { argoReleaseRules } from './rules';
import type { ArgoSubject } from './subject';

const RULES: Readonly<Record<AlbFailureClass, SharedRule>> = {
  // The controller recovers from a panic and retries this Rollout only.
  panic: 'rehearsal-controller-stuck',
  'not-found': 'rehearsal-incomplete',
  'service-not-in-rules': 'rehearsal-controller-stuck',
  stickiness: 'rehearsal-controller-stuck',
  bookkeeping: 'rehearsal-controller-stuck',
};

/** The error of a play, and the finding about it. */
export function stopOf(
  error: AlbFailure & { readonly step: number },
  subject: ArgoSubject,
  moments: readonly ArgoMoment[],
): ReleaseStop {
  const { class: kind, message, ingress, path, step } = error;
  const { namespace } = subject;
  const object = moments[0]!.world.find('Ingress.networking.k8s.io', ingress, namespace);
  const isAtStart = moments.length === 1;
  const at = isAtStart ? 'before the release' : `at steps[${step}]`;
  const place = path === undefined ? '' : ` (${path})`;
  const source = object?.sourceOf(path ?? []);
  const isMissing = kind === 'not-found';
  return {
    class: kind,
    message,
    step,
    remark: {
      rule: RULES[kind],
      message: isMissing
        ? `the rehearsal ends ${at}: Ingress "${ingress}" is not in these manifests`
        : `${at} the controller fails on Ingress "${ingress}"${place}: ${message}`,
      path: subject.steps[step] === undefined ? subject.path : [...subject.path, 'steps', step],
      ...(isAtStart ? {} : { step }),
      ...(isMissing
        ? {}
        : { because: 'Argo retries forever, and no weight or route of this Rollout changes any more' }),
      ...(object === undefined
        ? {}
        : {
            related: {
              message: 'the error is about this object',
              object: object.ref,
              ...(source === undefined ? {} : { source }),
            },
          }),
    },
  };
}

/** Where a release waits for ever, and the finding about it. With more pods than are known here, it may go on. */
export function waitOf(
  { step, why }: NonNullable<ArgoPlay['waits']>,
  subject: ArgoSubject,
  isCertain: boolean,
): ReleaseStop {
  const isEnd = step >= subject.steps.length;
  const path = isEnd ? subject.path : [...subject.path, 'steps', step];
  const place = isEnd ? 'after the last step' : `at steps[${step}]`;
  const remark: Remark = isCertain
    ? {
        rule: argoReleaseRules['rehearsal-step-never-ends'],
        message: `${place} the release waits for ever: ${why}`,
        path,
        step,
      }
    : { rule: 'rehearsal-incomplete', message: `the rehearsal ends ${place}: ${why}`, path, step };
  return { class: 'waits', message: why, step, remark };
}
