import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { rehearsalReporters } from '../../../src/report/rehearsal';
import { ANY_TEXT, ERROR, WARNING } from '../findings';
import { ATTACKS, CLEAN, contextOf, ELSEWHERE, FAILING, many, STOPPED, withText, writeHtml } from './rehearsals';

/** The text that a reader sees, without the style sheet and the script. */
function textOf(page: string): string {
  return page
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

/** All tags with the names of their attributes; sound, as no attribute may hold a bare `>`. */
function tagsOf(page: string): Set<string> {
  const tags = page.replace(/<(style|script)>.*?<\/\1>/gs, '<$1>').matchAll(/<(!?[^\s<>]+)([^>]*)>/g);
  return new Set(
    [...tags].flatMap(([, name, rest]) => [
      name!,
      ...[...rest!.replace(/"[^"]*"/g, '').matchAll(/[^\s=/]+/g)].map(([attribute]) => `${name} ${attribute}`),
    ]),
  );
}

describe('the HTML report', () => {
  it('shows the result of each request at each moment, and the rule', () => {
    const text = textOf(writeHtml(CLEAN));
    expect(text).toContain('Rollout shop/web');
    for (const { title } of CLEAN.moments) expect(text).toContain(title);
    for (const { text: request } of CLEAN.requests) expect(text).toContain(request);
    for (const { rule } of CLEAN.moments.flatMap(({ cells }) => cells)) {
      if (rule !== undefined) expect(text).toContain(rule.description);
    }
    expect(text).toContain('20% canary, 80% stable');
    expect(text).toContain('8 kinds of requests: all go where the Rollout declares.');
  });

  it('shows what the checks find in the Rollout itself beside its rehearsal, and the rest under its own heading', () => {
    const pageWith = (name: string) => {
      const finding = { ...ERROR, object: { ...CLEAN.rollout, name } };
      return textOf(rehearsalReporters.html([CLEAN], { ...contextOf([CLEAN]), findings: [finding] }));
    };
    const own = pageWith(CLEAN.rollout.name);
    expect(own).toMatch(/Rollout shop\/web\s*✗ 1 error/);
    expect(own).not.toContain('In other objects');
    const other = pageWith('another');
    expect(other).toMatch(/Rollout shop\/web\s*✓ as declared/);
    expect(other).toContain('In other objects');
  });

  it('names the severity of a finding, which no sign has to be read before', () => {
    const [finding] = FAILING.findings;
    const badgeOf = (severity: 'error' | 'warning' | 'note') => {
      const page = writeHtml({ ...FAILING, findings: [{ ...finding!, severity }] });
      return textOf(/<span class="severity">.*?<\/span>\w*<\/span>/.exec(page)![0]);
    };
    expect(badgeOf('error')).toBe('✗ error');
    expect(badgeOf('warning')).toBe('! warning');
    expect(badgeOf('note')).toBe('note');
  });

  it('draws rules in the order in which the load balancer tries them', () => {
    const page = writeHtml(CLEAN);
    for (const [picture] of page.matchAll(/<svg class="flow".*?<\/svg>/gs)) {
      const numbers = [...picture.matchAll(/>rule (\d+) of /g)].map(([, number]) => Number(number));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    expect(page).toMatch(/>rule 1 of .*>rule 2 of /s);
  });

  it('has an address for every moment, request and finding, and a link to copy it from', () => {
    const page = writeHtml(FAILING, CLEAN);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const anchors = [...page.matchAll(/<a class="anchor" href="#([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.filter((id) => !ids.has(id))).toEqual([]);
    const count = (what: 'moments' | 'requests' | 'findings') => FAILING[what].length + CLEAN[what].length;
    expect(new Set(anchors).size).toBe(count('moments') + count('requests') + count('findings'));
  });

  it('shows each finding with place, reason and fix, and links it to its moment', () => {
    const page = writeHtml(FAILING);
    const [finding] = FAILING.findings;
    for (const part of [finding!.message, finding!.because, finding!.fix, finding!.request!, finding!.docs]) {
      expect(textOf(page)).toContain(part);
    }
    expect(page).toContain('id="rollout-1-finding-1"');
    // The moment's table leads to the finding, and the finding to the moment.
    expect(page).toContain('<a class="reason" href="#rollout-1-finding-1">rehearsal-canary-gets-nothing</a>');
    expect(page).toContain('<dt>When</dt><dd><a href="#rollout-1-moment-3">steps[0]: x-user: tester</a></dd>');
    expect(textOf(page)).toContain('1 of 8 kinds of requests does not go where the Rollout declares.');
    expect(textOf(page)).toContain('✗ wrong: stablenot canary');
  });

  it('shows what stopped the controller', () => {
    expect(textOf(writeHtml(STOPPED))).toContain(
      'it stops at steps[0] (script-not-found). aws-alb lua script is not found',
    );
  });

  it('has a target for every link, and unique ids', () => {
    const page = writeHtml(FAILING, ELSEWHERE, STOPPED, ...many(3));
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/ (?:href="#|data-traffic="|aria-labelledby=")([^"]*)"/g)].flatMap(([, to]) =>
      to!.split(' '),
    );
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('has a list of Rollouts when there are several, and none for one', () => {
    const page = writeHtml(...many(11));
    const contents = /<nav.*?<\/nav>/s.exec(page)![0];
    expect(contents.match(/<li>/g)).toHaveLength(11);
    expect(textOf(contents)).toContain('Rollout shop/app-1 ✗ 1 error');
    expect(textOf(contents)).toContain('Rollout shop/app-2 ✓ as declared');
    expect(writeHtml(CLEAN)).not.toContain('<nav');
  });

  it('shows that there is no Rollout, and other findings', () => {
    const context = { ...contextOf([FAILING]), findings: [...FAILING.findings, ERROR, WARNING] };
    expect(textOf(rehearsalReporters.html([], { ...context, findings: [] }))).toContain('have no Rollout');
    const text = textOf(rehearsalReporters.html([FAILING], context));
    expect(text).toContain('2 errors, 1 warning');
    expect(text.match(/the Service "web" does not exist/g)).toHaveLength(1);
    expect(text.split(FAILING.findings[0]!.message)).toHaveLength(2);
  });

  it('shows the line of the file, if it is known', () => {
    const context = { ...contextOf([]), findings: [ERROR] };
    const sources = new Map([['deploy/web.yaml', 'a: 1\nhost: <example.com>\n']]);
    expect(textOf(rehearsalReporters.html([], { ...context, sources }))).toContain('2 | host: <example.com>');
  });

  it('is the same for the same input on every terminal', () => {
    const rehearsals = [FAILING, CLEAN];
    const first = rehearsalReporters.html(rehearsals, contextOf(rehearsals));
    expect(rehearsalReporters.html(structuredClone(rehearsals), { ...contextOf(rehearsals), color: true })).toBe(first);
  });

  it('stays small enough to open quickly', () => {
    const rehearsals = many(100);
    const size = Buffer.byteLength(writeHtml(...rehearsals));
    expect(size / rehearsals.length).toBeLessThan(100_000);
  });
});

describe('the difference of a manifest', () => {
  const changed = (before?: object, after?: object, action: 'created' | 'changed' | 'deleted' = 'changed') => {
    const change = {
      object: { kind: 'Ingress', name: 'web' },
      action,
      before,
      after,
    } as Rehearsal['moments'][0]['changes'][0];
    const page = writeHtml({
      ...CLEAN,
      requests: [],
      moments: [{ phase: 'step', title: 'now', changes: [change], cells: [] }],
    });
    const diff = /<pre class="diff"[^>]*>(.*?)<\/pre>/s.exec(page)![1]!;
    return { page, diff, lines: textOf(diff).trimEnd().split('\n') };
  };

  it('has signs for lines that are added and removed, and marks what differs within a line', () => {
    const { diff, lines } = changed({ spec: { a: 1, weight: 20, b: 2 } }, { spec: { a: 1, weight: 100, b: 2 } });
    expect(lines).toEqual(['  spec:', '    a: 1', '-   weight: 20', '+   weight: 100', '    b: 2']);
    expect(diff).toContain('<del>-   weight: <mark>20</mark>\n</del><ins>+   weight: <mark>100</mark>\n</ins>');
  });

  it('ignores the order of keys', () => {
    expect(changed({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }).lines).toEqual(['  no field differs']);
  });

  it('ignores the order of keys in JSON of annotations, and in items that have moved', () => {
    const action = (...keys: [string, unknown][]) => JSON.stringify(Object.fromEntries(keys));
    const long: [string, unknown] = ['targetGroups', [{ serviceName: 'web', servicePort: 80, weight: 1 }]];
    const before = action(['type', 'forward'], long);
    expect(changed({ a: before }, { a: action(long, ['type', 'forward']) }).lines).toEqual(['  no field differs']);
    const added = changed(
      { list: [{ a: 1, b: 2 }] },
      {
        list: [
          { b: 3, a: 3 },
          { b: 2, a: 1 },
        ],
      },
    ).lines;
    expect(added.filter((line) => line.startsWith('-'))).toEqual([]);
    expect(added.filter((line) => line.startsWith('+'))).toHaveLength(2);
  });

  it('formats JSON in annotations, so that a changed weight changes one line', () => {
    const action = (weight: number) =>
      JSON.stringify({ type: 'forward', forwardConfig: { targetGroups: [{ serviceName: 'web', weight }] } });
    const { lines } = changed({ actions: action(20) }, { actions: action(50) });
    expect(lines.filter((line) => /^[-+]/.test(line))).toEqual([
      '-           "weight": 20',
      '+           "weight": 50',
    ]);
  });

  it('shows a created object in full, and folds a deleted one', () => {
    expect(changed(undefined, { kind: 'Ingress', n: 1 }, 'created').lines).toEqual(['+ kind: Ingress', '+ n: 1']);
    expect(changed({ kind: 'Ingress' }, undefined, 'deleted').lines).toEqual(['- kind: Ingress']);
    expect(changed({ kind: 'Ingress' }, undefined, 'deleted').page).toContain('<details><summary>');
    expect(changed({ a: 1 }, { a: 2 }).page).toContain('<details open><summary>');
  });

  it('leaves out lines far from a change, and limits the length', () => {
    const items = (count: number, last: number) => ({ list: [...Array.from({ length: count }, (_, n) => n), last] });
    const { lines } = changed(items(50, 1), items(50, 2));
    expect(lines).toEqual(['  … 48 lines alike', '    - 47', '    - 48', '    - 49', '-   - 1', '+   - 2']);
    const long = changed(undefined, items(1000, 1), 'created').lines;
    expect(long).toHaveLength(401);
    expect(long.at(-1)).toBe('  … 602 more lines');
    expect(changed(undefined, { text: 'x'.repeat(5000) }, 'created').lines[0]).toMatch(
      /^.{1002} … 4006 more characters$/,
    );
  });
});

describe('text of manifests', () => {
  const known = tagsOf(writeHtml(CLEAN, FAILING, ELSEWHERE, STOPPED));

  it.each(ATTACKS)('%j becomes no tag and no attribute', (attack) => {
    const page = writeHtml(...[CLEAN, FAILING, ELSEWHERE, STOPPED].map((rehearsal) => withText(rehearsal, attack)));
    expect([...tagsOf(page)].filter((tag) => !known.has(tag) && tag !== 'code')).toEqual([]);
    expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f]/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/\p{Surrogate}/u);
  });

  it('is never markup', () => {
    fc.assert(
      fc.property(ANY_TEXT, (text) => {
        const page = writeHtml(withText(FAILING, text));
        expect([...tagsOf(page)].filter((tag) => !known.has(tag) && tag !== 'code')).toEqual([]);
        expect(page.match(/<script/g)).toHaveLength(1);
      }),
      { seed: 4, numRuns: 60 },
    );
  });

  it('could not run even as markup: the policy allows only this style sheet and this script', () => {
    const page = writeHtml(withText(CLEAN, ATTACKS[0]!));
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    const hash = (tag: string) => {
      const [, text] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)!;
      return `'sha256-${createHash('sha256').update(text!).digest('base64')}'`;
    };
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hash('style')}`,
      `script-src ${hash('script')}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });
});
