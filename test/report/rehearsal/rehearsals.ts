/** Rehearsals that the tests of reports share: real ones, and what a hostile manifest would make of them. */
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { type RehearsalContext, rehearsalReporters } from '../../../src/report/rehearsal';
import {
  albAnnotations,
  albScript,
  ORDERED,
  ourScript,
  path,
  rehearseStack,
  SCRIPT_OF_DOCUMENT_000,
  service,
} from '../../rehearsal/stack';

const STEPS = [
  { replicas: '20%', matches: [{ headers: [{ type: 'Exact', name: 'x-user', value: 'tester' }] }] },
  { traffic: '20%', replicas: '20%' },
  { traffic: '100%', replicas: '100%' },
];

/** One that goes as declared. */
export const CLEAN: Rehearsal = rehearseStack({
  steps: STEPS,
  scripts: albScript(ourScript('trafficrouting_ingress/aws-alb.lua')),
});

/** The stack of document 000: the canary's rule never wins. */
export const FAILING: Rehearsal = rehearseStack({
  name: 'cart',
  steps: STEPS,
  annotations: albAnnotations('cart', 80, {
    'alb.ingress.kubernetes.io/group.name': 'shop',
    'alb.ingress.kubernetes.io/group.order': '10',
  }),
  scripts: albScript(SCRIPT_OF_DOCUMENT_000),
});

/** One whose controller finds no script, so that it stops at the first step. */
export const STOPPED: Rehearsal = rehearseStack({
  name: 'stopped',
  steps: STEPS,
  annotations: albAnnotations('stopped', 80, ORDERED),
});

/** One of which some requests were led elsewhere before. */
export const ELSEWHERE: Rehearsal = rehearseStack({
  steps: STEPS,
  scripts: albScript(ourScript('trafficrouting_ingress/aws-alb.lua')),
  paths: [path('/admin', 'admin'), path('/', 'web', { name: 'use-annotation' })],
  more: [service('admin')],
});

/** One with every story: the straight road is the first of them. */
export const TOLD: Rehearsal = rehearseStack(
  {
    name: 'told',
    steps: [{ ...STEPS[0], replicas: '10%', pause: {} }, { traffic: '20%', replicas: '10%', pause: {} }, STEPS[2]],
    annotations: {},
    ingressClassName: 'nginx',
    port: { number: 80 },
    route: { ingress: { name: 'told', classType: 'nginx' } },
  },
  { stories: 'all' },
);

/** The one with every story, with stories of these names in their place. */
export function toldAs(...names: string[]): Rehearsal {
  return { ...TOLD, stories: names.map((name) => ({ ...TOLD.stories![0]!, name })) };
}

/** Many of them, as a large repository has. */
export function many(count: number): Rehearsal[] {
  return Array.from({ length: count }, (_, index) => {
    const rehearsal = index % 10 === 0 ? FAILING : CLEAN;
    return { ...rehearsal, rollout: { ...rehearsal.rollout, name: `app-${index + 1}` } };
  });
}

/** The context of a report about these and nothing else. */
export function contextOf(rehearsals: readonly Rehearsal[]): RehearsalContext {
  return { color: false, ascii: false, findings: rehearsals.flatMap(({ findings }) => findings) };
}

/** The HTML report of these and nothing else. */
export function writeHtml(...rehearsals: Rehearsal[]): string {
  return rehearsalReporters.html(rehearsals, contextOf(rehearsals));
}

/** What somebody might write into a manifest to make a report run it, load it or hide something. */
export const ATTACKS: readonly string[] = [
  '<script>window.attacked = 1</script>',
  '</script><script>window.attacked = 2</script>',
  '"><img src="https://attacker.example.com/x" onerror="window.attacked = 3">',
  "' onmouseover='window.attacked = 4' autofocus onfocus='window.attacked = 4",
  '</style></title></textarea><svg onload="window.attacked = 5">',
  'javascript:window.attacked=6',
  '<a href="javascript:window.attacked=7" id="main">x</a>',
  '<!--',
  '--><base href="https://attacker.example.com/"><meta http-equiv="refresh" content="0;url=https://attacker.example.com">',
  '\u202egnp.exe\u202c\u2066',
  '\u0000\u001b[31m\ud800 \x24{alert(8)} {{constructor.constructor("alert(9)")()}}',
  '`<iframe srcdoc="<script>parent.attacked = 10</script>">`',
];

/** Values by which reports choose what to do; everything else is text that can come from a manifest. */
const CHOICES = new Set(['style', 'phase', 'verdict', 'severity', 'protocol', 'end', 'who']);

/** The same rehearsal with this text in every place that a manifest can reach. */
export function withText(rehearsal: Rehearsal, text: string): Rehearsal {
  return attacked(rehearsal, text) as Rehearsal;
}

function attacked(value: unknown, text: string): unknown {
  if (typeof value === 'string') return `${value}${text}`;
  if (Array.isArray(value)) return value.map((item) => attacked(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const isAnswer = 'sticky' in value || 'statusCode' in value;
  const isRequest = 'label' in value;
  const isChange = 'before' in value || 'after' in value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const isChoice =
        CHOICES.has(key) ||
        (isAnswer && key === 'kind') ||
        (isRequest && key === 'class') ||
        (isChange && key === 'action');
      return [key, isChoice ? child : attacked(child, text)];
    }),
  );
}
