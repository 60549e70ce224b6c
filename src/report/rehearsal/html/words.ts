import type { ObjectRef, SourceLocation } from '../../../core/finding';
import type {
  Rehearsal,
  RehearsedAnswer,
  RehearsedCell,
  RehearsedLoadBalancer,
  RehearsedShares,
  RequestClass,
} from '../../../core/rehearsal-result';

/** `20%`. A share between 0 and 1 never becomes 0% or 100%. */
export function percent(share: number): string {
  const value = Math.round(share * 1000) / 10;
  if (value === 0 && share > 0) return '<0.1%';
  return value === 100 && share < 1 ? '>99.9%' : `${value}%`;
}

/** `Ingress shop/web` */
export function objectName({ kind, namespace, name }: ObjectRef): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** `deploy/web.yaml:7:25` */
export function placeName({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}

/** `aws-alb shop, HTTP:80` */
export function loadBalancerName({ router, name, protocol, port }: RehearsedLoadBalancer): string {
  return `${router === name ? name : `${router} ${name}`}, ${protocol}:${port}`;
}

/** The meaning of a share of the canary. */
export function declaredWords(expectedCanary: number | undefined): string {
  if (expectedCanary === undefined) return 'either version';
  if (expectedCanary === 0) return 'stable';
  return expectedCanary === 1 ? 'canary' : `${percent(expectedCanary)} canary`;
}

/** The result of a request in few words: `stable`, `20% canary`, `503`. */
export function shortOutcome({ shares, answer }: RehearsedCell): string {
  const { stable, canary, failed, other } = shares;
  if (stable === 1) return 'stable';
  if (canary === 1) return 'canary';
  if (failed === 1 || other === 1 || answer.kind === 'unknown') return answerWords(answer, failed === 1);
  return [
    ...(canary > 0 ? [`${percent(canary)} canary`] : stable > 0 ? [`${percent(stable)} stable`] : []),
    ...(failed > 0 ? [`${percent(failed)} error`] : []),
    ...(other > 0 ? [`${percent(other)} elsewhere`] : []),
  ].join(', ');
}

function answerWords(answer: RehearsedAnswer, failed: boolean): string {
  switch (answer.kind) {
    case 'services':
      return failed ? 'error' : answer.destinations.map(({ name }) => name).join(', ') || 'elsewhere';
    case 'unknown':
      return 'not known';
    case 'nothing':
      return 'nothing listens';
    default:
      return answer.statusCode;
  }
}

/** The parts of the result of a request, in the order of bars and sentences, without empty parts. */
export function partsOf(shares: RehearsedShares): { readonly part: keyof RehearsedShares; readonly share: number }[] {
  const order = ['canary', 'failed', 'other', 'stable'] as const;
  return order.map((part) => ({ part, share: shares[part] })).filter(({ share }) => share > 0);
}

const PART_WORDS: Readonly<Record<keyof RehearsedShares, string>> = {
  canary: 'canary',
  failed: 'error',
  other: 'elsewhere',
  stable: 'stable',
};

/** `20% canary, 80% stable` */
export function fullOutcome(shares: RehearsedShares): string {
  return partsOf(shares)
    .map(({ part, share }) => `${percent(share)} ${PART_WORDS[part]}`)
    .join(', ');
}

const CLASS_WORDS: Readonly<Record<RequestClass, string>> = {
  'no-match': 'matches nothing',
  match: 'matches a step',
  near: 'almost matches a step',
  elsewhere: 'led elsewhere before',
  probe: 'your own probe',
};

/** Why a kind of request was chosen, as text. */
export function classWords(requestClass: RequestClass): string {
  return CLASS_WORDS[requestClass];
}

const STYLE_WORDS: Readonly<Partial<Record<Rehearsal['style'], string>>> = {
  canary: 'canary',
  partition: 'partition: the workload is updated in parts',
  blueGreen: 'blue-green',
  'traffic-routing': 'TrafficRouting',
  'argo-canary': 'canary of Argo Rollouts',
  'argo-blue-green': 'blue-green of Argo Rollouts',
};

/** The strategy of a Rollout, as text. */
export function styleWords(style: Rehearsal['style']): string {
  return STYLE_WORDS[style] ?? style;
}

/** The role of a Service in a Rollout. */
export type ServiceRole = 'stable' | 'canary' | 'both' | 'other';

/** The role of a destination `namespace/name`. */
export function roleOf(destination: string, { rollout, stableService, canaryService }: Rehearsal): ServiceRole {
  const isService = (service: string) => destination === service || destination === `${rollout.namespace}/${service}`;
  if (isService(stableService)) return stableService === canaryService ? 'both' : 'stable';
  return isService(canaryService) ? 'canary' : 'other';
}
