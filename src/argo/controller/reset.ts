import type { JsonObject } from '../../core/json';
import { asObject, asText, partOf } from '../../core/json';
import {
  bool,
  type Decoder,
  decodeGoJson,
  JsonError,
  list,
  optional,
  struct,
  text,
} from '../../routers/aws-alb/go-json';
import { CLASS_ANNOTATION } from '../../routers/ingress/class';
import { ACTIONS, forwardAction } from './actions';
import { type AlbResult, annotationsOf, withAnnotations } from './alb';
import {
  type Bookkeeping,
  MANAGED_ACTIONS,
  MANAGED_ANNOTATIONS,
  readBookkeeping,
  writeBookkeeping,
} from './bookkeeping';
import { Stopped } from './failure';

/** Options of the reset of Ingresses. */
export interface ResetOptions {
  /**
   * Names of the Rollouts that still exist and use the Ingress; their annotations stay.
   * @default - none
   */
  readonly rollouts?: readonly string[];
  /**
   * The controller's `--alb-ingress-classes`: an Ingress of another class stays unchanged.
   * @default ['alb']
   */
  readonly albIngressClasses?: readonly string[];
}

/** The Ingresses after the reset. */
export interface ResetResult extends AlbResult {
  /** The Ingresses that the controller could not reset and did not write, with the message in its log. */
  readonly givenUp: readonly { readonly ingress: string; readonly message: string }[];
}

/**
 * Resets Ingresses after the deletion of a Rollout: each of its actions sends all requests to the Service with the name of
 * the action. This only works if a target group has that name: never with `rootService`, and not while the bookkeeping
 * lists a header route.
 */
export function resetAfterDeletion(ingresses: readonly unknown[], options: ResetOptions = {}): ResetResult {
  const written: string[] = [];
  const givenUp: { ingress: string; message: string }[] = [];
  const after = ingresses.map(asObject).map((ingress) => {
    if (!(options.albIngressClasses ?? ['alb']).includes(classOf(ingress))) return ingress;
    const name = asText(asObject(ingress.metadata).name);
    const annotations = resetAnnotations(ingress, options.rollouts ?? []);
    if (typeof annotations === 'string') givenUp.push({ ingress: name, message: annotations });
    if (annotations === undefined || typeof annotations === 'string') return ingress;
    written.push(name);
    return withAnnotations(ingress, annotations);
  });
  return { ingresses: after, written, givenUp };
}

/** The class that Argo compares with `--alb-ingress-classes`. Unlike other controllers it ignores an empty annotation. */
export function classOf(ingress: JsonObject): string {
  return annotationsOf(ingress).get(CLASS_ANNOTATION) || asText(partOf(ingress, 'spec')?.ingressClassName);
}

/** The new annotations, undefined if nothing changes, or the error message. */
function resetAnnotations(ingress: JsonObject, alive: readonly string[]): Map<string, string> | string | undefined {
  const annotations = annotationsOf(ingress);
  const bookkeeping = bookkeepingOf(annotations);
  const gone = [...bookkeeping].filter(([rollout]) => !alive.includes(rollout));
  if (gone.length === 0) return undefined;
  const after = new Map(annotations);
  for (const [rollout, keys] of gone) {
    for (const key of keys ?? []) {
      if (!key.includes(ACTIONS)) continue;
      const action = resetAction(key, annotations.get(key) ?? '');
      if (action.error !== undefined) return action.error;
      after.set(key, action.text);
    }
    bookkeeping.delete(rollout);
  }
  if (bookkeeping.size === 0) after.delete(MANAGED_ANNOTATIONS);
  else after.set(MANAGED_ANNOTATIONS, writeBookkeeping(bookkeeping));
  after.delete(MANAGED_ACTIONS);
  return after;
}

/** The controller silently skips an Ingress with invalid bookkeeping. */
function bookkeepingOf(annotations: ReadonlyMap<string, string>): Bookkeeping {
  try {
    return readBookkeeping(annotations.get(MANAGED_ANNOTATIONS)) ?? new Map();
  } catch (stopped) {
    if (stopped instanceof Stopped) return new Map();
    throw stopped;
  }
}

type ResetAction = { readonly text: string; readonly error?: undefined } | { readonly error: string };

function resetAction(key: string, previous: string): ResetAction {
  const [, service, ...more] = key.split(ACTIONS);
  if (service === undefined || more.length > 0) {
    return { error: `unable to parse action to get the service ${key}` };
  }
  const config = decodedAction(previous)?.ForwardConfig;
  if (config === undefined) return { error: 'unable to unmarshal previous ALB action' };
  const port = config.TargetGroups.filter((group) => group.ServiceName === service).at(-1)?.ServicePort;
  if (!port) return { error: 'unable to reset annotation due to missing port' };
  const sticky = config.TargetGroupStickinessConfig;
  const stickiness = sticky && { enabled: sticky.Enabled, seconds: sticky.DurationSeconds };
  return { text: forwardAction([{ service, port, weight: 100 }], stickiness) };
}

const int64: Decoder<bigint> = {
  zero: 0n,
  read(json, previous) {
    if (json.readNull()) return previous;
    const number = json.readNumber('an integer');
    if (/^-?\d+$/.test(number)) {
      const value = BigInt(number);
      if (BigInt.asIntN(64, value) === value) return value;
    }
    throw json.error('an integer of 64 bits', number);
  },
};

const ACTION = struct({
  Type: text,
  ForwardConfig: struct({
    TargetGroups: list(struct({ ServiceName: text, ServicePort: text, Weight: optional(int64) })),
    TargetGroupStickinessConfig: optional(struct({ Enabled: bool, DurationSeconds: int64 })),
  }),
});

function decodedAction(action: string) {
  try {
    return decodeGoJson(action, ACTION);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
