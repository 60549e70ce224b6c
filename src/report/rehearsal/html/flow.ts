import { counted } from '../../../core/counted';
import type { Rehearsal, RehearsedDestination, RehearsedMoment } from '../../../core/rehearsal-result';
import { barParts, declaredShares, rounded } from './bar';
import { arrange, type Box, columnHeight, LINE, type Line, oneLine, PADDING, wrap } from './flow-layout';
import { html, type Markup, type MarkupValue } from './markup';
import { type RouteGroup, routeGroups } from './routes';
import {
  declaredWords,
  fullOutcome,
  loadBalancerName,
  objectName,
  percent,
  placeName,
  roleOf,
  type ServiceRole,
} from './words';

/** The left edge, width and characters per line of the three columns. */
const REQUESTS = { x: 1, width: 290, columns: 36 };
/** The characters in a line of a request with a bar at its end. */
const BESIDE_BAR = 28;
const RULES = { x: 361, width: 326, columns: 40 };
const ANSWERS = { x: 763, width: 236, columns: 29 };
const WIDTH = 1000;
const HEAD = 26;
const LABELS = 3;

/** A rule as a node of the picture. Requests without a rule share one node. */
interface RuleNode {
  readonly key: string;
  readonly box: Box;
  readonly exits: Map<string, Exit>;
}

/** A destination of a rule, with the share of its requests. */
interface Exit {
  readonly answer: string;
  readonly share: number;
}

interface AnswerNode {
  readonly key: string;
  readonly kind: ServiceRole | 'failed';
  readonly box: Box;
}

/** A picture of how each kind of request gets through the rules of a load balancer to Services. */
export function flow(rehearsal: Rehearsal, moment: RehearsedMoment, id: string): Markup {
  const groups = routeGroups(rehearsal, moment);
  let top = 0;
  const parts = rehearsal.loadBalancers.map((loadBalancer, index) => {
    const own = inOrderOfRules(groups.filter((group) => group.loadBalancer === index));
    if (own.length === 0) return undefined;
    const { markup, height } = section(rehearsal, own, loadBalancerName(loadBalancer), top);
    top += height;
    return markup;
  });
  const text = `${counted(groups.length, 'route')} of ${counted(moment.cells.length, 'kind')} of requests; the following table has the same content as text.`;
  return html`<div class="scroll" role="group" aria-label="Picture of the traffic" tabindex="0"><svg class="flow" role="img" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" aria-labelledby="${id}-title" aria-describedby="${id}-desc"><title id="${id}-title">Where requests go</title><desc id="${id}-desc">${text}</desc>
${parts}</svg></div>`;
}

/** In the order in which the load balancer tries its rules, where they have one: then no edges cross. */
function inOrderOfRules(groups: readonly RouteGroup[]): RouteGroup[] {
  const numberOf = ({ cell: { rule } }: RouteGroup) =>
    rule === undefined ? Number.POSITIVE_INFINITY : Number(/^rule (\d+)\b/.exec(rule.description)?.[1] ?? 0);
  return [...groups].sort((a, b) => (numberOf(a) === numberOf(b) ? 0 : numberOf(a) - numberOf(b)));
}

function section(
  rehearsal: Rehearsal,
  groups: readonly RouteGroup[],
  loadBalancer: string,
  top: number,
): { readonly markup: Markup; readonly height: number } {
  const requests = groups.map((group) => requestBox(rehearsal, group));
  const rules = new Map<string, RuleNode>();
  const answers = new Map<string, AnswerNode>();
  const taken = groups.map((group) => {
    const node = ruleNode(rehearsal, group, answers);
    if (!rules.has(node.key)) rules.set(node.key, node);
    return rules.get(node.key)!;
  });
  const ruleNodes = [...rules.values()];
  const answerNodes = sortedAnswers([...answers.values()], ruleNodes);
  const columns = [requests, ruleNodes.map(({ box }) => box), answerNodes.map(({ box }) => box)];
  const height = Math.max(...columns.map(columnHeight));
  for (const column of columns) arrange(column, top + HEAD, height);

  const entering = groups.map(({ cell }, index) => ({
    from: requests[index]!,
    to: taken[index]!.box,
    kind: cell.verdict === 'wrong' ? 'wrong' : 'plain',
  }));
  const leaving = ruleNodes.flatMap(({ box, exits }) =>
    [...exits.values()].map(({ answer, share }) => {
      const { box: to, kind } = answers.get(answer)!;
      return { from: box, to, kind, share };
    }),
  );
  return {
    height: HEAD + height + 8,
    markup: html`${heading(REQUESTS.x, top, 'Requests')}${heading(RULES.x, top, `Rules of ${loadBalancer}`)}${heading(ANSWERS.x, top, 'Answered by')}
${edges(entering)}${edges(leaving)}
${columns.flat().map(boxMarkup)}`,
  };
}

function heading(x: number, top: number, text: string): Markup {
  return html`<text class="head" x="${x}" y="${top + 15}">${oneLine(text, 42)}</text>`;
}

function requestBox(rehearsal: Rehearsal, { requests, cell }: RouteGroup): Box {
  const labels = requests.map((index) => rehearsal.requests[index]!.label);
  const shown = labels.slice(0, labels.length > LABELS ? LABELS - 1 : LABELS);
  const more = labels.length - shown.length;
  const wrong = cell.verdict === 'wrong';
  const { expectedCanary } = cell;
  return {
    ...REQUESTS,
    kind: wrong ? 'request wrong' : 'request',
    lines: [
      ...shown.map((label): Line => ({ text: oneLine(label, REQUESTS.columns), kind: 'strong' })),
      ...(more > 0 ? [{ text: `and ${more} more`, kind: 'quiet' as const }] : []),
      ...(expectedCanary === undefined
        ? []
        : [{ text: `declared ${declaredWords(expectedCanary)}`, shares: declaredShares(expectedCanary) }]),
      {
        text: `${wrong ? '✗ ' : ''}gets ${fullOutcome(cell.shares)}`,
        shares: cell.shares,
        ...(wrong ? { kind: 'bad' as const } : {}),
      },
    ].map((line) => ({ ...line, text: oneLine(line.text, 'shares' in line ? BESIDE_BAR : REQUESTS.columns) })),
  };
}

function ruleNode(rehearsal: Rehearsal, group: RouteGroup, answers: Map<string, AnswerNode>): RuleNode {
  const { rule, answer } = group.cell;
  const exits = exitsOf(rehearsal, group);
  for (const { node } of exits) if (!answers.has(node.key)) answers.set(node.key, node);
  const lines: Line[] =
    rule === undefined
      ? [{ text: 'no rule takes them', kind: 'strong' }]
      : [
          ...wrap(rule.description, RULES.columns, 4).map((text): Line => ({ text, kind: 'strong' })),
          ...wrap(objectName(rule.object), RULES.columns, 2).map((text): Line => ({ text })),
          ...wrap(rule.path, RULES.columns, 1).map((text): Line => ({ text, kind: 'quiet' })),
          ...(rule.source ? wrap(placeName(rule.source), RULES.columns, 1) : []).map(
            (text): Line => ({ text, kind: 'quiet' }),
          ),
        ];
  const sticky: Line[] = answer.kind === 'services' && answer.sticky ? [{ text: 'clients stay with one Service' }] : [];
  return {
    key: JSON.stringify([rule, answer]),
    box: { ...RULES, kind: rule === undefined ? 'rule none' : 'rule', lines: [...lines, ...sticky] },
    exits: new Map(exits.map(({ node, share }) => [node.key, { answer: node.key, share }])),
  };
}

function exitsOf(rehearsal: Rehearsal, { cell }: RouteGroup): { readonly node: AnswerNode; readonly share: number }[] {
  const { answer } = cell;
  if (answer.kind === 'services' && answer.destinations.length > 0) {
    return answer.destinations.map((each) => ({ node: serviceNode(rehearsal, each), share: each.share }));
  }
  const lines = ownAnswer(cell.answer).flatMap((text, index): Line[] =>
    wrap(text, ANSWERS.columns, 2).map((line) => ({ text: line, kind: index === 0 ? 'strong' : 'quiet' })),
  );
  const kind = cell.shares.failed > 0 ? 'failed' : 'other';
  return [
    {
      node: { key: JSON.stringify(cell.answer), kind, box: { ...ANSWERS, kind: `answer ${kind}`, lines } },
      share: 1,
    },
  ];
}

function ownAnswer(answer: RouteGroup['cell']['answer']): string[] {
  switch (answer.kind) {
    case 'services':
      return ['✗ no Service', 'the rule forwards to nothing'];
    case 'fixed-response':
      return [answer.statusCode, answer.messageBody ?? '', 'the load balancer itself'].filter((text) => text !== '');
    case 'unknown':
      return ['not known', answer.why];
    case 'redirect':
      return [`${answer.statusCode} redirect`, answer.location];
    default:
      return ['✗ nothing', 'no load balancer listens'];
  }
}

const ROLES: Readonly<Record<ServiceRole, string>> = {
  stable: 'stable Service',
  canary: 'canary Service',
  both: 'Service of both versions',
  other: 'another Service',
};

function serviceNode(rehearsal: Rehearsal, { name, port, failure }: RehearsedDestination): AnswerNode {
  const role = roleOf(name, rehearsal);
  const lines: Line[] = [
    ...wrap(port === undefined ? name : `${name}:${port}`, ANSWERS.columns, 2).map(
      (text): Line => ({ text, kind: 'strong' }),
    ),
    { text: ROLES[role], kind: 'quiet' },
    ...(failure === undefined ? [] : wrap(`✗ ${failure}`, ANSWERS.columns, 3)).map(
      (text): Line => ({ text, kind: 'bad' }),
    ),
  ];
  const kind = failure === undefined ? role : 'failed';
  return { key: JSON.stringify([name, port, failure]), kind, box: { ...ANSWERS, kind: `answer ${kind}`, lines } };
}

/** Sorts the answers to be near the rules that lead to them, so that few lines cross. */
function sortedAnswers(nodes: readonly AnswerNode[], rules: readonly RuleNode[]): AnswerNode[] {
  const height = ({ key }: AnswerNode) => {
    const weights = rules.map(({ exits }) => (exits.has(key) ? exits.get(key)!.share + 0.01 : 0));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.reduce((total, weight, index) => total + weight * index, 0) / sum;
  };
  return [...nodes].sort((a, b) => height(a) - height(b));
}

interface Edge {
  readonly from: Box;
  readonly to: Box;
  readonly kind: string;
  /** The share of the requests that a rule takes. */
  readonly share?: number;
}

function edges(all: readonly Edge[]): MarkupValue[] {
  return all.map((edge) => {
    const x1 = edge.from.x + edge.from.width;
    const x2 = edge.to.x;
    const y1 = anchor(
      edge.from,
      all.filter(({ from }) => from === edge.from),
      edge,
      'to',
    );
    const y2 = anchor(
      edge.to,
      all.filter(({ to }) => to === edge.to),
      edge,
      'from',
    );
    const middle = (x1 + x2) / 2;
    const curve = `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
    if (edge.share === undefined) return html`<path class="edge ${edge.kind}" d="${curve}m-8-4l8 4-8 4"/>\n`;
    const width = edge.share === 0 ? 1 : rounded(1.5 + 4.5 * edge.share);
    return html`<path class="edge ${edge.kind}${edge.share === 0 && ' none'}" stroke-width="${width}" d="${curve}"/><text class="share" x="${x1 + 6}" y="${rounded(y1 - 5)}">${percent(edge.share)}</text>\n`;
  });
}

/** The edges of a box are sorted by their other ends, so that few lines cross. */
function anchor(box: Box, touching: readonly Edge[], edge: Edge, other: 'from' | 'to'): number {
  const order = [...touching].sort((a, b) => (a[other].y ?? 0) - (b[other].y ?? 0));
  return rounded((box.y ?? 0) + ((box.height ?? 0) * (order.indexOf(edge) + 1)) / (order.length + 1));
}

function boxMarkup({ x, y = 0, width, height = 0, kind, lines }: Box): Markup {
  const text = lines.map(({ text, kind: lineKind, shares }, index) => {
    const base = rounded(y + PADDING + LINE * index + 12);
    const strip = shares && html`<g class="strip">${barParts(shares, x + width - 72, base - 9, 64, 9)}</g>`;
    return html`${strip}<text x="${x + 9}" y="${base}"${lineKind !== undefined && html` class="${lineKind}"`}>${text}</text>`;
  });
  return html`<g class="${kind}"><rect x="${x}" y="${rounded(y)}" width="${width}" height="${height}"/>${text}</g>
`;
}
