/** What scripts do wrong with steps that no Rollout of the stack has. */
import { type Finding, withRemark } from '../../core/finding';
import { asList, asObject, asText } from '../../core/json';
import type { World } from '../../core/world';

/** A step of a Rollout as its API has it, as far as scripts read it. */
type Step = Readonly<Record<string, unknown>>;
type Match = Readonly<Record<string, unknown>>;
type Header = Readonly<Record<string, unknown>>;

const matchesOf = (step: Step) => asList(step.matches).map(asObject);
const headersOf = (match: Match) => asList(match.headers).map(asObject);
const someMatch = (test: (match: Match) => boolean) => (step: Step) => matchesOf(step).some(test);
const someHeader = (test: (header: Header) => boolean) => someMatch((match) => headersOf(match).some(test));
const nameOf = ({ name }: Header) => asText(name).toLowerCase();
const isExpression = ({ type }: Header) => type === 'RegularExpression';
const isNarrow = (match: Match) => headersOf(match).length === 0;

/** What a step must have for a rule to matter to it. */
const MET_BY: Readonly<Record<string, (step: Step) => boolean>> = {
  'lua-path-ignored': someMatch(({ path }) => path !== undefined),
  'lua-query-ignored': someMatch(({ queryParams }) => asList(queryParams).length > 0),
  'lua-header-ignored': someHeader(() => true),
  'lua-alternative-ignored': (step) => matchesOf(step).length > 1,
  'lua-match-widened': someMatch(isNarrow),
  'lua-header-modifier-ignored': ({ requestHeaderModifier }) => requestHeaderModifier !== undefined,
  'lua-weight-beside-matches': (step) =>
    matchesOf(step).length > 0 && (step.traffic !== undefined || step.weight !== undefined),
  'lua-header-renamed': someHeader((header) => nameOf(header).includes('cookie') && nameOf(header) !== 'cookie'),
  'lua-header-value-split': someHeader(({ value }) => /[;,]/.test(asText(value))),
  'lua-alb-regex-as-glob': someHeader(isExpression),
  'lua-alb-wildcard-unescaped': someHeader((header) => !isExpression(header) && /[*?]/.test(asText(header.value))),
  'lua-alb-cookie-whole-header': someHeader((header) => nameOf(header).includes('cookie')),
};

/** The steps of all Rollouts with routes; a TrafficRouting is a step itself. */
export function stepsIn(world: World): readonly Step[] {
  const rollouts = world.list('Rollout.rollouts.kruise.io').flatMap(({ object }) => {
    const strategies = Object.values(asObject(asObject(object.spec).strategy)).map(asObject);
    return strategies
      .filter(({ trafficRoutings }) => asList(trafficRoutings).length > 0)
      .flatMap(({ steps }) => asList(steps));
  });
  const routings = world.list('TrafficRouting.rollouts.kruise.io').map(({ object }) => asObject(object.spec).strategy);
  return [...rollouts, ...routings].map(asObject);
}

/** A finding about steps that the stack does not have is advice: a note. Without any steps, others may have them. */
export function asMet(finding: Finding, steps: readonly Step[]): Finding {
  const isMet = MET_BY[finding.rule];
  if (isMet === undefined || steps.length === 0 || steps.some(isMet)) return finding;
  return withRemark({ ...finding, severity: 'note' }, 'no step of this stack has that');
}
