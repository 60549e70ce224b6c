import { describe, expect, it } from 'vitest';
import { parseManifests, type Rule, World } from '../../../src/core';
import { checkGatewayPermissions, gatewayPermissionRules } from '../../../src/kruise/gateway-permissions';
import { checkKruiseInstall, installRules } from '../../../src/kruise/install/check';

function found(text: string): string[] {
  const { manifests, findings } = parseManifests(text, 'example.yaml');
  expect(findings).toEqual([]);
  const world = World.of(manifests);
  return [...checkKruiseInstall(world), ...checkGatewayPermissions(world)].map(({ rule }) => rule);
}

function examplesOf(title: string, rules: Iterable<Rule>) {
  describe(title, () => {
    for (const rule of rules) {
      it(`${rule.id}: the failing example fails by this rule alone, and the corrected one does not fail`, () => {
        expect([...new Set(found(rule.failing.text))]).toEqual([rule.id]);
        expect(found(rule.corrected.text)).toEqual([]);
      });
    }
  });
}

examplesOf('rules on an install', Object.values(installRules));
examplesOf('rules on permissions for gateways', Object.values(gatewayPermissionRules));
