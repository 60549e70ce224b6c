/** Finds releases that disturb each other when they run at the same time on one load balancer. */
import { type Finding, type Manifest, World } from '../core';
import { addTo } from '../core/grouped';
import type { Router } from '../routers';
import { answerKey, ask, type Backends } from './answers';
import { formatRequest } from './request';
import { rehearsalRules } from './rules';
import type { Entry, SentRequest } from './run';
import { type LoadBalancerState, type Table, tableKey, tableOf } from './tables';
import { answerText } from './words';

/** As many other releases are named in a finding. */
const NAMED = 3;

/** A rehearsed release, as far as it is needed to play it together with others. */
export interface Contender {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
  /** A few requests, each with its outcome when the release ran alone. */
  readonly requests: readonly { readonly sent: SentRequest; readonly key: string; readonly text: string }[];
  /** The World at its first routed step. */
  readonly backends: Backends;
  /** The objects that the controller has written up to that step. */
  readonly written: readonly Manifest[];
}

/** Puts all releases that share a load balancer into their first routed step, and sends their requests again. */
export function findCollisions(contenders: readonly Contender[], routers: readonly Router[]): Map<Manifest, Finding[]> {
  const byLoadBalancer = new Map<string, Contender[]>();
  for (const contender of contenders) {
    for (const key of new Set(contender.entries.map(tableKey))) addTo(byLoadBalancer, key, contender);
  }
  const findings = new Map<Manifest, Finding[]>();
  for (const [key, sharing] of byLoadBalancer) {
    if (sharing.length < 2) continue;
    for (const [manifest, found] of collisionsOf(key, sharing, routers)) addTo(findings, manifest, found);
  }
  return findings;
}

function collisionsOf(key: string, sharing: readonly Contender[], routers: readonly Router[]): Map<Manifest, Finding> {
  const [routerName] = key.split('\n');
  const router = routers.filter(({ name }) => name === routerName);
  const together = worldOf(sharing);
  const table = tableOf(together, router);
  const state = table.get(key);
  const found = new Map<Manifest, Finding>();
  const served = new Set([...table.values()].flatMap(({ members }) => members));
  for (const contender of sharing) {
    const trouble = troubleOf(contender, state, table, together, served, key);
    if (trouble === undefined) continue;
    const others = sharing.slice(0, NAMED + 1).filter((other) => other !== contender);
    found.set(contender.manifest, collision(contender, others.slice(0, NAMED), sharing.length - 1, trouble));
  }
  return found;
}

function worldOf(sharing: readonly Contender[]): World {
  const [first, ...others] = sharing.map(({ backends }) => backends.world);
  // Objects that one release has written replace the earlier state that the others saw.
  return World.union(first!, ...others).with(...sharing.flatMap((contender) => contender.written));
}

interface Trouble {
  readonly message: string;
  readonly request?: string;
  readonly related?: Finding['related'];
}

function troubleOf(
  contender: Contender,
  state: LoadBalancerState | undefined,
  table: Table,
  together: World,
  served: ReadonlySet<Manifest>,
  key: string,
): Trouble | undefined {
  if (state?.frozen !== undefined) {
    const { why, manifest } = state.frozen;
    const related = manifest === undefined ? {} : { related: { message: 'the mistake is here', object: manifest.ref } };
    return { message: `the load balancer "${state.name}" freezes: ${why}`, ...related };
  }
  const unserved = contender.written.find((manifest) => manifest.kind === 'Ingress' && !served.has(manifest));
  if (unserved !== undefined) return { message: `${unserved.kind} "${unserved.name}" gets no rules` };
  for (const { sent, key: alone, text } of contender.requests) {
    const entry = contender.entries[sent.entry]!;
    if (tableKey(entry) !== key) continue;
    const listener = table.get(key)?.listeners.find(({ port }) => port === entry.port);
    const outcome = ask(listener, sent.request, { ...contender.backends, world: together, known: new Map() });
    if (answerKey(outcome) === alone) continue;
    const { rule } = outcome;
    return {
      message: `its requests go elsewhere: ${answerText(outcome.answer)} instead of ${text}`,
      request: formatRequest(sent.request, entry.protocol === 'HTTPS' ? 'https' : 'http'),
      ...(rule === undefined
        ? {}
        : {
            related: {
              message: `${rule.description} takes the request`,
              object: rule.object,
              ...(rule.source === undefined ? {} : { source: rule.source }),
            },
          }),
    };
  }
  return undefined;
}

function collision(
  { manifest }: Contender,
  named: readonly Contender[],
  others: number,
  { message, request, related }: Trouble,
): Finding {
  const names = named.map((other) => `"${other.manifest.name}"`);
  const more = others > named.length ? ` and ${others - named.length} more` : '';
  const [first] = named;
  return manifest.finding(rehearsalRules['rehearsal-canaries-collide'], {
    message: `released at the same time as ${names.join(', ')}${more}, ${message}`,
    path: 'spec.strategy',
    ...(request === undefined ? {} : { request }),
    related: related ?? {
      message: `the other release is ${first!.manifest.kind} "${first!.manifest.name}"`,
      object: first!.manifest.ref,
    },
  });
}
