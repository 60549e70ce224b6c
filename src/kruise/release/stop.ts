/** What stops the controller of Kruise Rollouts, as a finding. */
import type { Finding, Manifest, Path, World } from '../../core';
import type { ReleaseStep, ReleaseStop, Remark, SharedRule } from '../../release';
import type { ControllerError } from '../controller';

const RULES: Readonly<Record<ControllerError['class'], SharedRule>> = {
  panic: 'rehearsal-controller-panics',
  'script-not-found': 'rehearsal-controller-stuck',
  lua: 'rehearsal-controller-stuck',
  'original-missing': 'rehearsal-controller-stuck',
  'not-found': 'rehearsal-incomplete',
  rejected: 'rehearsal-controller-stuck',
  'never-settles': 'rehearsal-never-settles',
  livelock: 'rehearsal-controller-stuck',
  waits: 'rehearsal-controller-stuck',
};

/** Where a finding about an error points. */
export interface StopPlaces {
  /** The World before the release. */
  readonly world: World;
  readonly steps: readonly ReleaseStep[];
  /** The field that the finding is about where there is no such step. */
  readonly path: Path;
}

/** The error of a play, and the finding about it. */
export function stopOf(error: ControllerError & { readonly step: number }, places: StopPlaces): ReleaseStop {
  const { class: kind, log, path } = error;
  const message = error.message.trimEnd();
  const step = places.steps[error.step];
  const object = error.object === undefined ? undefined : places.world.get(error.object);
  const related = object === undefined || path === undefined ? undefined : relatedPlace(object, path);
  return {
    class: kind,
    message,
    step: error.step,
    remark: {
      rule: RULES[kind],
      message: messageOf(error, object),
      path: step?.path ?? places.path,
      ...(step === undefined ? {} : { step: error.step }),
      ...textsOf(error),
      ...(kind === 'not-found' && error.object && { absent: [error.object] }),
      ...(log === undefined || kind === 'not-found' ? {} : { log }),
      ...(related === undefined ? {} : { related }),
    },
  };
}

/** What a finding about an error says instead of the texts of its rule. */
function textsOf({ class: kind, fix, says }: ControllerError): Pick<Remark, 'because' | 'fix'> {
  switch (kind) {
    case 'script-not-found':
      return {
        fix: 'add the script to the ConfigMap "kruise-rollout-configuration" of the controller, or use another class',
      };
    case 'not-found':
      return {
        because:
          'missing objects cannot be rehearsed; if the cluster does not have it either, the release stays in ' +
          'Progressing (Initializing) for ever, and the status does not say why',
      };
    case 'livelock':
    case 'waits':
      return {
        because: `the controller does this for ever and reports no error: the status says only "${says}"`,
        ...(fix === undefined ? {} : { fix }),
      };
    default:
      return fix === undefined ? {} : { fix };
  }
}

function messageOf(error: ControllerError & { readonly step: number }, object: Manifest | undefined): string {
  const at = `steps[${error.step}]`;
  const where = object === undefined ? '' : ` on ${object.kind} "${object.name}"`;
  const line = error.line === undefined ? '' : ` (line ${error.line} of the script)`;
  switch (error.class) {
    case 'panic':
      return `the controller crashes${where}${error.path === undefined ? '' : `: ${error.path} is missing`}`;
    case 'not-found':
      return `the rehearsal ends before ${at}: ${error.message} in these manifests`;
    case 'livelock':
    case 'waits':
      return `${at} never leaves the state ${error.state}: ${error.message}`;
    case 'never-settles':
      return `${at} is never done: ${error.message}`;
    default:
      return `the controller does not get beyond ${at}${where}: ${error.message.trimEnd()}${line}`;
  }
}

function relatedPlace(object: Manifest, path: string): Finding['related'] {
  const source = object.sourceOf(pathOf(path));
  return { message: `${path} is meant`, object: object.ref, ...(source === undefined ? {} : { source }) };
}

/** Parses a path of the controller, whose last part may be missing in the object. */
function pathOf(path: string): Path {
  return path.split(/[.[\]]+/).flatMap((part) => (part === '' ? [] : [/^\d+$/.test(part) ? Number(part) : part]));
}
