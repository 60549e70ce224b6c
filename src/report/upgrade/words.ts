/** What differs between two releases for a stack, in words: sections of items, which each format writes in its own way. */
import type { SourceLocation } from '../../core/finding';
import { groupedBy } from '../../core/grouped';
import type { Json } from '../../core/json';
import { shortened } from '../../core/shortened';
import type {
  UpgradedCell,
  UpgradedFact,
  UpgradedFields,
  UpgradedMoment,
  UpgradedRelease,
  UpgradedRequest,
  UpgradedRollout,
  UpgradedScript,
  UpgradedStory,
  UpgradedValue,
  UpgradedWrite,
  UpgradeReport,
  UpgradeSide,
} from '../../core/upgrade-result';
import { percent } from '../rehearsal/cell';
import { objectNameOf } from '../reporter';

/** A section of a report. */
export interface UpgradeSection {
  readonly title: string;
  readonly items: readonly UpgradeItem[];
}

/** One difference, and what belongs to it, line by line. */
export interface UpgradeItem {
  readonly text: string;
  readonly source?: SourceLocation;
  readonly lines: readonly string[];
}

/** `Kruise Rollouts 0.5.5 → 0.6.2` */
export function releasesText({ releases }: UpgradeReport, ascii = false): string {
  return releases.map(({ title, from, to }) => `${title} ${from} ${ascii ? '->' : '→'} ${to}`).join(', ');
}

/** `1 new error, 1 new warning, 2 findings gone, 5 stay; 1 of 3 releases takes another course` */
export function upgradeSummary({ appears, gone, stays, rollouts, rehearsed }: UpgradeReport): string {
  const count = (severity: string) => appears.filter((finding) => finding.severity === severity).length;
  const news = (['error', 'warning', 'note'] as const).flatMap((severity) =>
    count(severity) === 0 ? [] : [counted(count(severity), `new ${severity}`)],
  );
  const parts = [...(news.length === 0 ? ['no new finding'] : news), `${gone.length} gone`, `${stays} as before`];
  if (rehearsed === 0 && rollouts.length === 0) return parts.join(', ');
  const takes = rollouts.length === 1 ? 'takes' : 'take';
  const other = rollouts.length === 0 ? 'none' : String(rollouts.length);
  return `${parts.join(', ')}; of ${counted(rehearsed, 'rehearsed release')}, ${other} ${takes} another course`;
}

/** The sections without the findings that appear, which have a format of their own. Empty sections are left out. */
export function upgradeSections(report: UpgradeReport): UpgradeSection[] {
  const names = sideNames(report.releases);
  const gone = report.gone.map(({ rule, severity, message, object, source }) => ({
    text: `${severity} ${rule}: ${object === undefined ? '' : `${objectNameOf(object)}: `}${message}`,
    ...(source && { source }),
    lines: [],
  }));
  const { otherFacts, triedWith, rehearsed } = report;
  const facts = report.facts.map((fact) => factItem(fact, report.releases));
  const change = otherFacts === 1 ? 'changes' : 'change';
  const rest = {
    text: `${counted(otherFacts, 'other difference')} between the releases ${change} nothing here`,
    lines:
      triedWith < rehearsed && facts.length > 0
        ? [`tried with ${triedWith} of ${counted(rehearsed, 'Rollout')}, one of each kind that differs`]
        : [],
  };
  return [
    { title: 'Releases that take another course', items: report.rollouts.map((one) => rolloutItem(one, names)) },
    { title: 'Differences that these manifests meet', items: otherFacts === 0 ? facts : [...facts, rest] },
    { title: 'Routing scripts that differ', items: report.scripts.map(scriptItem) },
    { title: 'Fields of the API', items: report.fields.flatMap((one) => fieldItems(one, names)) },
    { title: 'Findings that go', items: gone },
  ].filter(({ items }) => items.length > 0);
}

type SideNames = Readonly<Record<UpgradeSide, string>>;

/** One release is named by its number; several are `before` and `after`. */
function sideNames(releases: readonly UpgradedRelease[]): SideNames {
  const [first, ...others] = releases;
  return first === undefined || others.length > 0
    ? { from: 'before', to: 'after' }
    : { from: first.from, to: first.to };
}

function rolloutItem({ rollout, source, only, stories }: UpgradedRollout, names: SideNames): UpgradeItem {
  const name = objectNameOf(rollout);
  const text = only === undefined ? name : `${name} is rehearsed only with ${names[only]}`;
  const isNamed = stories.length > 1 || stories.some((one) => one.name !== 'straight');
  const lines = stories.flatMap((story) => [...(isNamed ? [`story ${story.name}`] : []), ...storyLines(story, names)]);
  return { text, ...(source && { source }), lines };
}

function storyLines({ moments, writes, ends, stops }: UpgradedStory, names: SideNames): string[] {
  const stopped = SIDES.flatMap((side) => {
    const stop = stops?.[side];
    return stop === undefined ? [] : [`${names[side]}: the controller stops at steps[${stop.step}]: ${stop.message}`];
  });
  const isOver =
    stops === undefined || stopped.length === 2
      ? []
      : [`${names[stops.from === undefined ? 'from' : 'to']}: it comes to the end`];
  return [
    ...stopped,
    ...isOver,
    ...(ends === undefined ? [] : [`it ends: ${ends.from} with ${names.from}, ${ends.to} with ${names.to}`]),
    ...moments.flatMap((moment) => momentLines(moment, names)),
    ...writes.flatMap((write) => writeLines(write, names)),
  ];
}

const SIDES: readonly UpgradeSide[] = ['from', 'to'];

function momentLines({ title, only, requests }: UpgradedMoment, names: SideNames): string[] {
  const head = only === undefined ? title : `${title} (only with ${names[only]})`;
  const alike = groupedBy(requests, (request) => wayText(request, names));
  return [head, ...[...alike].map(([text, same]) => `  ${requestsText(same)}: ${text}`)];
}

function wayText({ from, to }: UpgradedRequest, names: SideNames): string {
  if (from === undefined || to === undefined) return cellWords((to ?? from)!);
  return `${cellWords(from)} with ${names.from}, ${cellWords(to)} with ${names.to}`;
}

/** `any (GET https://shop.example.com/) and 2 more requests` */
function requestsText([first, ...others]: readonly UpgradedRequest[]): string {
  const { label, text } = first!.request;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more request')}`;
  return `${label} (${text})${more}`;
}

/** `80% old, 20% new` */
function cellWords({ shares, answer }: UpgradedCell): string {
  if (answer.kind === 'unknown') return 'not known';
  const part = (share: number, what: string) => (share <= 0 ? [] : [`${percent(share)} ${what}`]);
  const failure = answer.kind === 'services' ? answer.destinations.find((one) => one.failure)?.failure : undefined;
  const error = answer.kind === 'fixed-response' ? `error ${answer.statusCode}` : 'error';
  const parts = [
    ...part(shares.stable, 'old version'),
    ...part(shares.canary, 'new version'),
    ...part(shares.failed, failure === undefined ? error : `error (${failure})`),
    ...part(shares.other, otherText(answer)),
  ];
  return parts.length === 0 ? 'no answer' : parts.join(', ');
}

function otherText(answer: UpgradedCell['answer']): string {
  if (answer.kind === 'fixed-response') return `answer ${answer.statusCode}`;
  if (answer.kind === 'redirect') return `redirect to ${answer.location}`;
  return answer.kind === 'services' ? answer.destinations.map(({ name }) => name).join(' or ') : 'other';
}

/** Longer lists are cut. */
const FIELDS_SHOWN = 12;

function writeLines({ object, title, only, fields }: UpgradedWrite, names: SideNames): string[] {
  const name = objectNameOf(object);
  if (only !== undefined) return [`${title}: only ${names[only]} writes ${name}`];
  const more = fields.length - FIELDS_SHOWN;
  return [
    `${title}: the controller writes ${name} otherwise`,
    ...fields.slice(0, FIELDS_SHOWN).map((field) => `  ${valueLine(field, names)}`),
    ...(more > 0 ? [`  and ${counted(more, 'more field')}`] : []),
  ];
}

function valueLine({ path, from, to }: UpgradedValue, names: SideNames): string {
  const text = (value: Json | undefined) => (value === undefined ? 'nothing' : shortened(JSON.stringify(value), 200));
  return `${path}: ${text(from)} with ${names.from}, ${text(to)} with ${names.to}`;
}

function factItem(fact: UpgradedFact, releases: readonly UpgradedRelease[]): UpgradeItem {
  const { software, name, text, since, source, rules, rollouts } = fact;
  const release = releases.find((one) => one.software === software)!;
  const whose = releases.length > 1 ? `${release.title}: ` : '';
  const lists = rules.length === 0 ? [] : [`changes findings of ${rules.join(', ')}`];
  const courses = rollouts.length === 0 ? [] : [`changes the release of ${listText(rollouts.map(objectNameOf))}`];
  return {
    text: `${whose}${text}`,
    lines: [
      ...factValues(fact, release),
      ...lists,
      ...courses,
      `${name}, since ${since}${source === undefined ? '' : `: ${source}`}`,
    ],
  };
}

/** The values; of a list of names only what differs. A part of a fact is an order of tasks, which counts as a whole. */
function factValues({ name, from, to }: UpgradedFact, release: UpgradedRelease): string[] {
  if (Array.isArray(from) && Array.isArray(to) && !name.includes('.')) {
    const [old, now] = [from, to] as [readonly Json[], readonly Json[]];
    const gone = old.filter((item) => !now.includes(item)).map(String);
    const added = now.filter((item) => !old.includes(item)).map(String);
    return [
      ...(gone.length === 0 ? [] : [`only with ${release.from}: ${listText(gone)}`]),
      ...(added.length === 0 ? [] : [`only with ${release.to}: ${listText(added)}`]),
    ];
  }
  return [`with ${release.from}: ${valueWords(from)}`, `with ${release.to}: ${valueWords(to)}`];
}

function valueWords(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', then ');
  return String(value);
}

const SCRIPT_ORIGINS = {
  builtin: 'that of the controller’s image',
  ConfigMap: 'that of the ConfigMap',
  assumed: 'that of this library, assumed to be in the ConfigMap',
  missing: 'none',
} as const;

function scriptItem({ name, from, to, lines: { added, dropped }, rollouts }: UpgradedScript): UpgradeItem {
  const other =
    from === to
      ? `${SCRIPT_ORIGINS[to]}, with ${counted(added, 'new line')} for ${counted(dropped, 'old one')}`
      : `${SCRIPT_ORIGINS[to]} instead of ${from === 'missing' ? 'an error, as no script is found' : SCRIPT_ORIGINS[from]}`;
  return { text: `${name}: ${other}`, lines: [`runs for ${listText(rollouts.map(objectNameOf))}`] };
}

function fieldItems(
  { kind, apiVersion, added, removed, newVersions }: UpgradedFields,
  names: SideNames,
): UpgradeItem[] {
  const lists: (readonly [string, readonly string[]])[] = [
    [`are there with ${names.to}, and may be used`, added],
    [`are not there with ${names.to}, and the API server drops or refuses them`, removed],
  ];
  const versions = newVersions.map((version) => ({
    text: `${kind} of ${apiVersion.split('/')[0]}/${version} is there with ${names.to}; these manifests have ${apiVersion}`,
    lines: [],
  }));
  return [
    ...lists.flatMap(([what, fields]) =>
      fields.length === 0
        ? []
        : [{ text: `${kind} of ${apiVersion}: ${counted(fields.length, 'field')} ${what}`, lines: fields }],
    ),
    ...versions,
  ];
}

/** Longer lists are counted. */
const NAMES_SHOWN = 5;

function listText(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 0 ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${more} more` : names.join(', ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
