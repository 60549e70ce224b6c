/** Finds target groups of AWS load balancers that are created or deleted during a release. */
import type { Finding, Manifest } from '../core';
import { whenOf } from '../release';
import { placeAt } from './places';
import { type RehearsalRuleId, rehearsalRules } from './rules';
import type { Cell, Run, SeenMoment } from './run';

interface Use {
  readonly present: boolean;
  readonly at: SeenMoment;
}

/** A target group belongs to an Ingress and a Service. It exists while a rule of the Ingress names the Service. */
export function targetGroupFindings(run: Run): Finding[] {
  const [before, ...steps] = run.seen.filter(({ moment }) => moment.phase === 'before' || moment.phase === 'step');
  if (before === undefined) return [];
  const unchanged = new Set<Manifest>(before.moment.world.list('Ingress.networking.k8s.io'));
  const moments = [before, ...steps];
  const named = moments.map((seen) => namedAt(run, seen, unchanged));
  // An Ingress that the controller does not write keeps its rules, even if other rules take all of its requests.
  const lasting = new Set(named.flatMap(({ lasts }) => [...lasts]));
  const names = new Set(named.flatMap(({ written }) => [...written]));
  const uses = [...names].map((name): readonly [string, readonly Use[]] => [
    name,
    moments.map((at, index) => ({
      present: named[index]!.written.has(name) || (lasting.has(name) && isUnwritten(name, at, unchanged)),
      at,
    })),
  ]);
  return [...empty(run, uses), ...recreated(run, uses)];
}

interface Named {
  readonly written: ReadonlySet<string>;
  readonly lasts: ReadonlySet<string>;
}

function namedAt(run: Run, { cells }: SeenMoment, unchanged: ReadonlySet<Manifest>): Named {
  const written = new Set<string>();
  const lasts = new Set<string>();
  const named = new Set<Cell['answer']>();
  for (const [index, { answer, manifest }] of cells.entries()) {
    // Requests that met the same rule share the answer object.
    if (named.has(answer)) continue;
    named.add(answer);
    if (run.entries[run.requests[index]!.entry]!.router !== 'aws-alb') continue;
    if (answer.kind !== 'services' || manifest === undefined) continue;
    for (const { name } of answer.destinations) {
      const id = `Service ${name} of ${ingressId(manifest)}`;
      if (unchanged.has(manifest)) lasts.add(id);
      else written.add(id);
    }
  }
  return { written, lasts };
}

function isUnwritten(name: string, { moment }: SeenMoment, unchanged: ReadonlySet<Manifest>): boolean {
  return moment.world
    .list('Ingress.networking.k8s.io')
    .some((manifest) => unchanged.has(manifest) && name.endsWith(` of ${ingressId(manifest)}`));
}

function ingressId({ kind, name }: Manifest): string {
  return `${kind} ${name}`;
}

function empty(run: Run, uses: readonly (readonly [string, readonly Use[]])[]): Finding[] {
  for (const [name, [before, ...steps]] of uses) {
    const first = steps.find(({ present }) => present);
    if (before!.present || first === undefined) continue;
    const message = `the target group of ${name} is new and empty ${whenOf(first.at.moment)}`;
    const { declared } = first.at.moment;
    const isForFew = declared !== undefined && declared.matches.length > 0;
    return [finding(run, 'rehearsal-target-group-empty', first.at, message, isForFew ? { fix: FEW } : {})];
  }
  return [];
}

/** What to do where the first step has a match. */
const FEW = 'nothing: only requests that meet the match are affected, for some seconds';

function recreated(run: Run, uses: readonly (readonly [string, readonly Use[]])[]): Finding[] {
  for (const [name, moments] of uses) {
    const gone = moments.findIndex(({ present }, index) => !present && moments[index - 1]?.present === true);
    const back = gone < 0 ? undefined : moments.slice(gone).find(({ present }) => present);
    if (back === undefined) continue;
    const [left, returned] = [moments[gone]!.at.moment, back.at.moment];
    const message = `the target group of ${name} is removed ${whenOf(left)} and made anew ${whenOf(returned)}`;
    return [finding(run, 'rehearsal-target-group-recreated', back.at, message)];
  }
  return [];
}

function finding(
  run: Run,
  rule: RehearsalRuleId,
  { moment }: SeenMoment,
  message: string,
  details: { readonly fix?: string } = {},
): Finding {
  return run.release.manifest.finding(rehearsalRules[rule], {
    ...details,
    message,
    ...placeAt(run, moment.step),
  });
}
