/** What stops the controller, as findings. */
import type { Finding, Manifest, Path, World } from '../core';
import type { ControllerError } from '../kruise/controller';
import type { RolloutSubject, RouteSubject } from '../kruise/rules/subject';
import { type RehearsalRuleId, rehearsalRules } from './rules';

const RULE_OF: Readonly<Record<ControllerError['class'], RehearsalRuleId>> = {
  panic: 'rehearsal-controller-panics',
  'script-not-found': 'rehearsal-controller-stuck',
  lua: 'rehearsal-controller-stuck',
  'original-missing': 'rehearsal-controller-stuck',
  'not-found': 'rehearsal-incomplete',
  rejected: 'rehearsal-controller-stuck',
  'never-settles': 'rehearsal-never-settles',
};

/** The finding for the error at which a release stays. */
export function stopFinding(
  error: ControllerError & { readonly step: number },
  world: World,
  { manifest, steps }: Pick<RolloutSubject, 'manifest' | 'steps'>,
  route: RouteSubject,
): Finding {
  const step = steps[error.step];
  const subject = error.object === undefined ? undefined : world.get(error.object);
  const place = subject === undefined || error.path === undefined ? undefined : placeOf(subject, error.path);
  return manifest.finding(rehearsalRules[RULE_OF[error.class]], {
    message: messageOf(error, subject),
    path: step?.path ?? route.path,
    ...(step === undefined ? {} : { step: error.step }),
    ...(error.class === 'script-not-found'
      ? {
          fix: 'add the script to the ConfigMap "kruise-rollout-configuration" of the controller, or use another class',
        }
      : {}),
    ...(error.log === undefined || error.class === 'not-found'
      ? {}
      : { because: `${rehearsalRules[RULE_OF[error.class]].because}. Search the log for: ${error.log}` }),
    ...(place === undefined ? {} : { related: place }),
    ...(error.class === 'not-found' && error.object && { absent: [error.object] }),
  });
}

function messageOf(error: ControllerError & { readonly step: number }, subject: Manifest | undefined): string {
  const at = `steps[${error.step}]`;
  const where = subject === undefined ? '' : ` on ${subject.kind} "${subject.name}"`;
  const line = error.line === undefined ? '' : ` (line ${error.line} of the script)`;
  switch (error.class) {
    case 'panic':
      return `the controller crashes${where}${error.path === undefined ? '' : `: ${error.path} is missing`}`;
    case 'not-found':
      return `the rehearsal ends before ${at}: ${error.message} in these manifests`;
    case 'never-settles':
      return `${at} is never done: ${error.message}`;
    default:
      return `the controller does not get beyond ${at}${where}: ${error.message}${line}`;
  }
}

function placeOf(subject: Manifest, path: string): Finding['related'] {
  const source = subject.sourceOf(pathOf(path));
  return { message: `${path} is meant`, object: subject.ref, ...(source === undefined ? {} : { source }) };
}

/** The controller's paths are written as ours, but for a part that is not there. */
function pathOf(path: string): Path {
  return path.split(/[.[\]]+/).flatMap((part) => (part === '' ? [] : [/^\d+$/.test(part) ? Number(part) : part]));
}
