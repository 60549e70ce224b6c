/** What changes for the requests of users, in the words of a reviewer. */
import { addTo } from '../core/grouped';
import type { RehearsedCell } from '../core/rehearsal-result';
import type { DiffedRequest, ReleaseRemark } from '../core/stack-diff';

/** Whether users meet something else. */
export function differs(before: RehearsedCell, after: RehearsedCell): boolean {
  const parts = ['canary', 'stable', 'failed', 'other'] as const;
  if (parts.some((part) => Math.abs(before.shares[part] - after.shares[part]) > 1e-6)) return true;
  const isOurs = before.shares.failed === 0 && before.shares.other === 0 && before.answer.kind !== 'unknown';
  return !isOurs && answerText(before) !== answerText(after);
}

/** A request whose result differs at a moment. */
export interface ChangedCell {
  /** As sentences name it: `/cart`. */
  readonly request: string;
  readonly before: RehearsedCell;
  readonly after: RehearsedCell;
}

/** What changed, for any number of requests: `now reaches {}: 20% of it get the new version`. */
interface Change {
  readonly tone: ReleaseRemark['tone'];
  /** Makes the sentence of the requests, after the name of the moment. */
  readonly text: (requests: string) => string;
  /** Equal for requests that share a sentence. */
  readonly key: string;
}

/**
 * One sentence for each kind of change.
 * @param when the moment at the start of a sentence: `step 2`
 */
export function cellRemarks(when: string, cells: readonly ChangedCell[]): Omit<ReleaseRemark, 'step'>[] {
  const groups = new Map<string, { readonly change: Change; readonly requests: string[] }>();
  for (const cell of cells.filter(({ before, after }) => differs(before, after))) {
    const change = changeOf(cell);
    const group = groups.get(change.key) ?? { change, requests: [] };
    groups.set(change.key, group);
    group.requests.push(cell.request);
  }
  return [...groups.values()].map(({ change: { tone, text }, requests }) => ({
    tone,
    text: `${when} ${text(listed(requests))}`,
  }));
}

/** Requests that only the head has, and that reach the new version or get an error. */
export function newRequestRemarks(
  when: string,
  cells: readonly { readonly request: string; readonly after: RehearsedCell }[],
): Omit<ReleaseRemark, 'step'>[] {
  const byShare = new Map<string, string[]>();
  for (const { request, after } of cells) {
    const key = after.shares.failed > 0 ? `!${errorText(after)}` : percent(after.shares.canary);
    addTo(byShare, key, request);
  }
  return [...byShare].map(([share, requests]) =>
    share.startsWith('!')
      ? {
          tone: 'worse',
          text: `${when} answers ${listed(requests)} with ${share.slice(1)}; the base has no such request`,
        }
      : {
          tone: 'plain',
          text: `${when} now reaches ${listed(requests)}: ${ofThem(share, requests)} the new version; the base has no such request`,
        },
  );
}

/** Errors that users newly get in between: while a step is prepared, at the end, on a rollback. */
export function newErrors(cells: readonly ChangedCell[]): ChangedCell[] {
  return cells.filter(({ before, after }) => before.shares.failed === 0 && after.shares.failed > 0);
}

/** The names of requests for sentences: without what most of them have in common, the method GET and the host of the first one. */
export function requestNames(requests: readonly Pick<DiffedRequest, 'text'>[]): string[] {
  const parts = requests.map(({ text }) => /^GET (https?:\/\/([^/\s]+))(\/\S*)(.*)$/.exec(text));
  const usual = parts[0]?.[1];
  const names = parts.map((part, index) => {
    if (part === null) return requests[index]!.text;
    const [, origin, host, path, headers] = part as unknown as [string, string, string, string, string];
    return `${origin === usual ? '' : host}${path}${headers.replaceAll(/ -H "([^"]*)"/g, ' with $1')}`;
  });
  return new Set(names).size === names.length ? names : requests.map(({ text }) => text);
}

const LISTED = 3;

/** `/, /cart and 2 more` */
function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  if (distinct.length <= LISTED) {
    return distinct.length < 2 ? distinct.join('') : `${distinct.slice(0, -1).join(', ')} and ${distinct.at(-1)}`;
  }
  return `${distinct.slice(0, LISTED).join(', ')} and ${distinct.length - LISTED} more`;
}

function changeOf({ before: { shares: old }, before, after: { shares: now }, after }: ChangedCell): Change {
  const change = (tone: Change['tone'], key: string, text: Change['text']): Change => ({ tone, key, text });
  if (now.failed > 0 && now.failed !== old.failed) {
    const what = errorText(after);
    const share = now.failed >= 1 ? '' : `${percent(now.failed)} of the requests for `;
    return change(now.failed > old.failed ? 'worse' : 'better', `failed ${share}${what}`, (requests) => {
      return `${old.failed > 0 ? 'answers' : 'now answers'} ${share}${requests} with ${what}`;
    });
  }
  if (after.answer.kind === 'unknown' || before.answer.kind === 'unknown') {
    const isKnown = after.answer.kind !== 'unknown';
    return change('plain', `known ${isKnown}`, (requests) =>
      isKnown ? `: where ${requests} goes is known now` : `: where ${requests} goes is not known any more`,
    );
  }
  if (now.other > 0 && now.other !== old.other) {
    return change(
      'plain',
      `other ${answerText(after)}`,
      (requests) => `now sends ${requests} elsewhere: ${answerText(after)}`,
    );
  }
  if (now.canary !== old.canary) return shareChange(old.canary, now.canary);
  if (old.failed > 0) return change('better', 'repaired', (requests) => `answers ${requests} without an error now`);
  return change(
    'plain',
    `answer ${answerText(after)}`,
    (requests) => `sends ${requests} another way: ${answerText(after)}`,
  );
}

function shareChange(old: number, now: number): Change {
  const key = `canary ${old} ${now}`;
  if (old === 0) {
    const share = percent(now);
    return {
      tone: 'plain',
      key,
      text: (requests) => `now reaches ${requests}: ${ofThem(share, [requests])} the new version`,
    };
  }
  if (now === 0) {
    return { tone: 'plain', key, text: (requests) => `: the canary loses its share of the requests for ${requests}` };
  }
  return {
    tone: 'plain',
    key,
    text: (requests) =>
      `gives the new version ${percent(now)} of the requests for ${requests} instead of ${percent(old)}`,
  };
}

function ofThem(share: string, requests: readonly string[]): string {
  const them = requests.length === 1 ? 'its requests' : 'their requests';
  return share === '100%' ? `all ${them} get` : `${share} of ${them} get`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

function errorText({ answer }: RehearsedCell): string {
  if (answer.kind === 'fixed-response') return `an error (${answer.statusCode})`;
  const failure =
    answer.kind === 'services' ? answer.destinations.find((one) => one.failure !== undefined)?.failure : undefined;
  return failure === undefined ? 'an error' : `an error, as ${failure}`;
}

function answerText({ answer }: RehearsedCell): string {
  switch (answer.kind) {
    case 'services':
      return answer.destinations
        .filter(({ share }) => share > 0)
        .map(
          ({ name, share, failure }) => `${percent(share)} to ${name}${failure === undefined ? '' : ` (${failure})`}`,
        )
        .join(', ');
    case 'fixed-response':
      return answer.statusCode;
    case 'redirect':
      return `${answer.statusCode} to ${answer.location}`;
    case 'unknown':
      return answer.why;
    case 'nothing':
      return 'nothing listens';
  }
}
