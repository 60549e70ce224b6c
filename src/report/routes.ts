import type { LeftOut, RoutedDestination, RoutedRequest } from '../core/routed-request';
import { escapeCommands, escapeTerminalLine } from './escape';

/** Rules before the one that takes a request; a gateway may have thousands. */
const MOST_RULES = 20;

/**
 * Answers to requests for a terminal.
 * @example routesText(routeRequest(world, parseRequest('https://shop.example.com/')))
 */
export function routesText(routes: readonly RoutedRequest[]): string {
  const requests = [...new Set(routes.map(({ request }) => request))];
  const parts = requests.map((request) => {
    const answers = routes.filter((route) => route.request === request);
    return [request, ...answers.flatMap(answerLines)].map(escapeTerminalLine).join('\n');
  });
  return escapeCommands(`${parts.join('\n\n')}\n`);
}

function answerLines(route: RoutedRequest): string[] {
  const { gateway, listener, rule, passedOver, leftOut, destinations, status, answer } = route;
  const earlier = passedOver.slice(0, MOST_RULES).map((each) => {
    return `    passed over: ${each.description}${each.failed === null ? '' : ` (not met: ${each.failed})`}`;
  });
  const left = passedOver.length - earlier.length;
  const without = leftOut.slice(0, MOST_RULES).flatMap(leftOutLines);
  const more = leftOut.length - MOST_RULES;
  const taken = rule === null ? 'no rule takes it' : `taken by ${rule.description}`;
  const place = rule?.source === undefined ? [] : [`      ${rule.source.file}:${rule.source.line}`];
  return [
    `  ${gateway}${listener === null ? '' : `, ${listener}`}`,
    ...earlier,
    ...(left > 0 ? [`    passed over: ${left} more rules`] : []),
    ...without,
    ...(more > 0 ? [`    left out: ${more} more`] : []),
    `    ${taken}`,
    ...place,
    ...(destinations.length === 0 ? [] : destinations.flatMap(destinationLines)),
    ...(destinations.length > 0 && status === null
      ? []
      : [`    answer: ${[status, answer].filter((part) => part !== null).join(' ')}`]),
  ];
}

function leftOutLines({ object, path, why, source }: LeftOut): string[] {
  const { kind, namespace, name } = object;
  const what = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${path === '' ? '' : `, ${path}`}`;
  return [`    left out: ${what}: ${why}`, ...(source === undefined ? [] : [`      ${source.file}:${source.line}`])];
}

function destinationLines(destination: RoutedDestination): string[] {
  const { namespace, name, port, share, selector, workloads, failure, status } = destination;
  const who = namespace === null ? name : `Service ${namespace}/${name}`;
  const labels = Object.entries(selector ?? {}).map((label) => label.join('='));
  const pods = `pods ${labels.length === 0 ? 'of any label' : `with ${labels.join(', ')}`}: ${workloads?.join(', ') || 'of no workload'}`;
  return [
    `    ${percent(share)} to ${who}${port === null ? '' : `:${port}`}`,
    ...(failure === null ? [] : [`      ${status}: ${failure}`]),
    ...(failure !== null || workloads === null ? [] : [`      ${pods}`]),
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}
