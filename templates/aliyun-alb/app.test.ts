import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from './app';

const { check } = createApp();

/** Findings that this team has read and accepts. Any other one fails the test. */
const KNOWN: string[] = [];

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

test('the first step reaches only requests with the header', () => {
  const shares = sharesAt(0);
  assert.equal(shares['GET http://shop.example.com/'], 0);
  assert.equal(shares['GET http://shop.example.com/ -H "x-canary: yes"'], 1);
  assert.equal(shares['GET http://shop.example.com/ -H "x-canary: yesx"'], 0);
});

test('the second step reaches a fifth of all requests', () => {
  assert.equal(sharesAt(1)['GET http://shop.example.com/'], 0.2);
});
