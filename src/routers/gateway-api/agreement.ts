/** A Gateway whose implementation nobody knows: what all implementations do alike is known of it, and nothing else. */
import { addTo } from '../../core/grouped';
import { remembered } from '../../core/remembered';
import type { Answer, Destination, Listener } from '../router';

/** A listener as an implementation has it. */
export interface ListenerOf {
  /** `Istio` */
  readonly name: string;
  readonly listener: Listener;
}

/** The listener as the API describes it. Where an implementation answers otherwise, the answer is not known. */
export function whereAllAgree(described: Listener, others: () => readonly ListenerOf[]): Listener {
  return {
    port: described.port,
    protocol: described.protocol,
    get rules() {
      return described.rules;
    },
    route(request) {
      const route = described.route(request);
      const own = outcomeOf(route.answer);
      const answers = others().map(({ name, listener }) => [name, outcomeOf(listener.route(request).answer)] as const);
      if (answers.every(([, outcome]) => outcome === own)) return route;
      const why = `${saidBy(answers)}, and the implementation of this Gateway is not known`;
      return { ...route, answer: { kind: 'unknown', why, decidedBy: 'implementation' } };
    },
    passedOver: (request) => described.passedOver?.(request) ?? [],
  };
}

/** `Istio answers with web, Envoy Gateway and Traefik with web-canary` */
function saidBy(answers: readonly (readonly [name: string, outcome: string])[]): string {
  const byOutcome = new Map<string, string[]>();
  for (const [name, outcome] of answers) addTo(byOutcome, outcome, name);
  return [...byOutcome]
    .map(([outcome, names], index) => {
      const verb = index > 0 ? '' : names.length > 1 ? 'answer ' : 'answers ';
      return `${names.join(' and ')} ${verb}with ${outcome}`;
    })
    .join(', ');
}

/** What clients notice of an answer. Kept, because all requests to a rule have one answer. */
const outcomeOf = remembered(words);

function words(answer: Answer): string {
  switch (answer.kind) {
    case 'services':
      return (
        answer.destinations
          .filter(({ share }) => share > 0)
          .map(destinationWords)
          .join(' and ') || 'an error'
      );
    case 'fixed-response':
      return answer.statusCode.startsWith('5') ? 'an error' : answer.statusCode;
    case 'redirect':
      return `a redirect (${answer.statusCode})`;
    default:
      return answer.why;
  }
}

function destinationWords({ service, target, share, unavailable }: Destination): string {
  if (unavailable !== undefined) return 'an error';
  const part = share === 1 ? '' : `${Math.round(share * 1000) / 10} % `;
  return `${part}${service?.name ?? target ?? 'nothing'}`;
}
