import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { targetGroupFindings } from '../../src/rehearsal/target-groups';
import { type CellParts, runOf } from './runs';
import { albScript, ourScript, rehearseStack } from './stack';

const ingress = (name: string, annotations = {}) =>
  Manifest.of({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, annotations } });

describe('the target groups of an Ingress that the controller rewrites at some steps', () => {
  const [web, other] = [ingress('web'), ingress('other')];
  const rewritten = ingress('web', { rewritten: 'yes' });
  const canary = ingress('web-canary');
  const idle = World.of([web, other]);
  const routed = World.of([rewritten, other]);
  const cell = (by: Manifest, ...to: readonly string[]): CellParts => ({ shares: { stable: 1 }, by, to });
  const rulesOf = (...moments: Parameters<typeof runOf>[1]) =>
    targetGroupFindings(runOf(['no-match'], moments)).map(({ rule }) => rule);

  it('last while the Ingress is as before, although other rules take the requests', () => {
    const before = { world: idle, cells: [cell(web, 'default/web')] };
    const written = { world: routed, cells: [cell(rewritten, 'default/web')] };
    const hidden = { world: idle.with(canary), cells: [cell(other, 'default/other')] };

    expect(rulesOf(before, written, hidden, written)).toEqual([]);
  });

  it('are removed with the last rule that names them', () => {
    const before = { world: idle, cells: [cell(web, 'default/web')] };
    const both = { world: routed, cells: [cell(rewritten, 'default/web', 'default/web-canary')] };

    expect(rulesOf(before, both, before, both)).toEqual([
      'rehearsal-target-group-empty',
      'rehearsal-target-group-recreated',
    ]);
  });
});

describe('a new target group', () => {
  const fixOf = (steps: readonly object[]) =>
    rehearseStack({ steps, scripts: albScript(ourScript('trafficrouting_ingress/aws-alb.lua')) }).findings.find(
      ({ rule }) => rule === 'rehearsal-target-group-empty',
    )?.fix;

  it('matters to few where the first step has a match', () => {
    const all = { traffic: '100%', replicas: '100%' };
    const header = { replicas: '20%', matches: [{ headers: [{ type: 'Exact', name: 'x-user', value: 'tester' }] }] };
    expect(fixOf([{ traffic: '20%', replicas: '20%' }, all])).toBe('start with a header match or with a small weight');
    expect(fixOf([header, all])).toMatch(/^nothing: only requests that meet the match/);
  });
});
