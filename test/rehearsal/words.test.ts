import { describe, expect, it } from 'vitest';
import type { RehearsedAnswer } from '../../src/core/rehearsal-result';
import { placeAt, textOf } from '../../src/rehearsal/places';
import type { Run } from '../../src/rehearsal/run';
import { answerText, canaryText, titleOf } from '../../src/rehearsal/words';
import type { Moment } from '../../src/release';

describe('the title of a moment', () => {
  it.each<[Pick<Moment, 'phase' | 'step' | 'event' | 'summary'>, string]>([
    [{ phase: 'before', event: 'e', step: 1 }, 'before'],
    [{ phase: 'prepare', event: 'e' }, 'prepare: e'],
    [{ phase: 'prepare', event: 'e', step: 1 }, 'steps[1]: e'],
    [{ phase: 'step', event: 'e', step: 1 }, 'steps[1]: e'],
    [{ phase: 'step', event: 'e', step: 1, summary: '20%' }, 'steps[1]: 20%'],
    [{ phase: 'step', event: 'e' }, 'steps[0]: e'],
    [{ phase: 'finish', event: 'e' }, 'end: e'],
    [{ phase: 'abort', event: 'e' }, 'rollback: e'],
  ])('of %j is %s', (moment, title) => expect(titleOf(moment as Moment)).toBe(title));
});

describe('an answer in words', () => {
  const services = (...destinations: object[]) => ({ kind: 'services', destinations }) as unknown as RehearsedAnswer;
  it.each<[RehearsedAnswer, string]>([
    [services({ name: 'Service a/b', share: 1 }), '100% to Service a/b'],
    [
      services({ name: 'a', share: 0.8 }, { name: 'b', share: 0.2, failure: '503 no pods' }, { name: 'c', share: 0 }),
      '80% to a, 20% to an error, as 503 no pods',
    ],
    [services({ name: 'a', share: 0 }), 'an error, as no Service has any weight'],
    [{ kind: 'fixed-response', statusCode: '404' } as RehearsedAnswer, '404'],
    [{ kind: 'fixed-response', statusCode: '404', messageBody: 'gone' } as RehearsedAnswer, '404 "gone"'],
    [{ kind: 'redirect', location: 'https://a.com' } as RehearsedAnswer, 'a redirect to https://a.com'],
    [{ kind: 'unknown', why: 'w' } as RehearsedAnswer, 'what is not known: w'],
    [{ kind: 'nothing' } as RehearsedAnswer, 'no answer, as nothing listens any more'],
  ])('%j: %s', (answer, text) => expect(answerText(answer)).toBe(text));

  it.each([
    [0, 'none of the requests reaches the canary', 'none of them reaches the canary'],
    [0.2, '20% of the requests reach the canary', '20% of them reach the canary'],
    [1, 'all of the requests reach the canary', 'all of them reach the canary'],
  ])('with %d at the canary: %s', (canary, text, short) => {
    expect(canaryText({ canary } as never)).toBe(text);
    expect(canaryText({ canary } as never, 'them')).toBe(short);
  });
});

describe('a request of a finding', () => {
  it.each([
    ['HTTP', 80, {}, 'GET http://a.com/'],
    ['HTTP', 8080, {}, 'GET http://a.com:8080/'],
    ['HTTP', 443, {}, 'GET http://a.com:443/'],
    ['HTTPS', 443, {}, 'GET https://a.com/'],
    ['HTTPS', 80, {}, 'GET https://a.com:80/'],
    ['HTTPS', 443, { port: 9000 }, 'GET https://a.com:9000/'],
  ] as const)('at an entry of %s %i with %j: %s', (protocol, port, more, text) => {
    const sent = { entry: 0, request: { host: 'a.com', path: '/', ...more } };
    expect(textOf({ entries: [{ protocol, port }] } as unknown as Run, sent as never)).toBe(text);
  });

  it('is expected by its step, or by the release', () => {
    const release = { path: ['spec'], steps: [{ trafficPath: ['spec', 'steps', 0] }] };
    const run = { release } as unknown as Run;
    expect(placeAt(run, 0)).toStrictEqual({ path: ['spec', 'steps', 0], step: 0 });
    expect(placeAt(run, 1)).toStrictEqual({ path: ['spec'], step: 1 });
    expect(placeAt(run, undefined)).toStrictEqual({ path: ['spec'] });
  });
});
