/** Finds matches that no request was made for: nobody has seen where such requests go. */
import type { Finding } from '../core';
import { type Match, summaryOf } from '../release';
import { compilePcre, isRefusedByRe2, notModelled, sampleOf } from '../routers';
import { placeAt } from './places';
import { hasTooManyConditions, MAX_CONDITIONS } from './requests';
import { rehearsalRules } from './rules';
import type { Run } from './run';
import { tableKey } from './tables';

/** One finding for each expression of a match for which no value is found. Requests of people make up for it. */
export function unsentFindings(run: Run): Finding[] {
  const { release, entries, requests } = run;
  if (entries.length === 0) return [];
  return release.matches.flatMap((match) => {
    if (hasTooManyConditions(match)) return [tooMany(run, match)];
    return expressionsOf(match).flatMap((expression) => {
      if (sampleOf(expression) !== undefined) return [];
      const refusal = refusalOf(run, expression);
      if (refusal === undefined && requests.some((sent) => sent.class === 'probe')) return [];
      return [unsent(run, match, expression, refusal)];
    });
  });
}

function tooMany(run: Run, match: Match): Finding {
  const step = stepOf(run, match);
  const count = (match.headers ?? []).length + (match.queryParams ?? []).length;
  const at = step === undefined ? 'a step' : `steps[${step}]`;
  const message = `no request was sent for the match of ${at}: it has ${count} conditions, and a rehearsal meets at most ${MAX_CONDITIONS}`;
  return run.release.manifest.finding(rehearsalRules['rehearsal-match-unsent'], { ...placeAt(run, step), message });
}

function unsent(run: Run, match: Match, expression: string, refusal: string | undefined): Finding {
  const step = stepOf(run, match);
  const at = step === undefined ? 'a step' : `steps[${step}]`;
  const shown = JSON.stringify(expression);
  const rule = rehearsalRules['rehearsal-match-unsent'];
  const place = placeAt(run, step);
  if (refusal === undefined) {
    const message = `no request was sent for the match of ${at} (${summaryOf(match)}), as no text is known that meets ${shown}`;
    return run.release.manifest.finding(rule, { ...place, message });
  }
  return run.release.manifest.finding(rule, {
    ...place,
    severity: 'error',
    message: `no request can meet the match of ${at}: ${shown} is ${refusal}`,
    because: 'the load balancer or its webhook refuses the expression, or drops the route that has it',
    fix: 'correct the expression',
  });
}

/** Why no load balancer of the release takes the expression. */
function refusalOf({ entries, seen }: Run, expression: string): string | undefined {
  if (!isRefusedByRe2(expression)) return undefined;
  if (compilePcre(expression) === undefined && notModelled(expression) === undefined) return 'no regular expression';
  const states = entries.map((entry) => seen[0]!.table.get(tableKey(entry)));
  const strict = states.find((state) => state?.expressions === 'RE2');
  return strict && `an expression that RE2 does not have, with which ${strict.router} reads it`;
}

function stepOf({ seen }: Run, match: Match): number | undefined {
  const text = JSON.stringify(match);
  return seen.find(({ moment }) => moment.declared?.matches.some((each) => JSON.stringify(each) === text))?.moment.step;
}

function expressionsOf({ path, headers = [], queryParams = [] }: Match): string[] {
  return [...(path === undefined ? [] : [path]), ...headers, ...queryParams].flatMap(({ type, value }) =>
    type === 'RegularExpression' && value !== undefined ? [value] : [],
  );
}
