import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from './app';

const { check } = createApp();

/** Findings that this team has read and accepts. Any other one fails the test. */
const KNOWN = ['rehearsal-abort-flaps', 'rehearsal-target-group-empty'];

test('every request goes where the steps say', () => {
  const findings = check.findings().filter(({ rule }) => !KNOWN.includes(rule));
  assert.deepEqual(
    findings.map(({ severity, rule, message }) => `${severity}[${rule}]: ${message}`),
    [],
  );
});

/** The share of the new version that each request gets, once a step of `web` has settled. */
function sharesAt(step: number): Record<string, number> {
  const rehearsal = check.rehearsals().find(({ rollout }) => rollout.name === 'web');
  const moment = rehearsal?.moments.find((each) => each.phase === 'step' && each.step === step);
  assert.ok(rehearsal && moment, `web has no step ${step}`);
  return Object.fromEntries(rehearsal.requests.map(({ text }, column) => [text, moment.cells[column].shares.canary]));
}

test('the first weight reaches a tenth of all requests, the second one half of them', () => {
  assert.equal(sharesAt(0)['GET https://shop.example.com/any'], 0.1);
  assert.equal(sharesAt(2)['GET https://shop.example.com/any'], 0.5);
});
