import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from './app';

const { check } = createApp();

/** Findings that this team has read and accepts. Any other one fails the test. */
const KNOWN: string[] = [];

test('nothing is wrong with the script, the permissions and the release', () => {
  const findings = check.findings().filter(({ rule }) => !KNOWN.includes(rule));
  assert.deepEqual(
    findings.map(({ severity, rule, message }) => `${severity}[${rule}]: ${message}`),
    [],
  );
});

/** The rules of the route, once a step has settled. */
function rulesAt(step: number): unknown {
  const moments = check.rehearsals().flatMap((rehearsal) => rehearsal.moments);
  const moment = moments.find((each) => each.phase === 'step' && each.step === step);
  const route = moment?.changes.find(({ object }) => object.kind === 'Route')?.after;
  assert.ok(route, `nothing changes the route at step ${step}`);
  return (route.spec as Record<string, unknown>).rules;
}

test('the first step sends only requests with the header to the canary', () => {
  assert.deepEqual(rulesAt(0), [
    { headers: [{ name: 'x-canary', value: 'yes' }], backends: [{ service: 'web-canary', weight: 100 }] },
    { backends: [{ service: 'web', weight: 100 }] },
  ]);
});

test('the second step sends a fifth of all requests to the canary', () => {
  assert.deepEqual(rulesAt(1), [
    {
      backends: [
        { service: 'web', weight: 80 },
        { service: 'web-canary', weight: 20 },
      ],
    },
  ]);
});
