/**
 * From every question of upstream's troubleshooting page, and from every trap that is known beside it, to the rule that
 * answers it. That the failing example of each rule is found and the corrected one is clean is tested with the rules.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaRules } from '../../src/core/schema';
import { ktenvRules } from '../../src/ktenv/rules';

const DOCS = readFileSync(join(__dirname, '..', '..', 'docs', 'ktenv.md'), 'utf8');

/** The questions of the page, each with the rules that answer it. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'are CRD and webhook installed': ['ktenv-webhook-incomplete'],
  'does the API server trust the webhook': ['ktenv-webhook-untrusted', 'ktenv-webhook-host'],
  'is there one VirtualEnvironment': [
    'ktenv-virtual-environment-missing',
    'ktenv-virtual-environment-second',
    'ktenv-api-version',
  ],
  'does the operator run': [
    'ktenv-operator-missing',
    'ktenv-operator-account',
    'ktenv-operator-namespace',
    'ktenv-operator-permissions',
  ],
  'which Services get a VirtualService and a DestinationRule': [
    'ktenv-single-route',
    'ktenv-label-missing',
    'ktenv-port-unrouted',
    'ktenv-service-without-selector',
  ],
  'are ports named http': ['ktenv-port-unrouted', 'ktenv-port-https', 'ktenv-port-protocol'],
  'do several Services select one pod': ['ktenv-pods-shared', 'ktenv-service-without-selector'],
  'do the pods carry the label': [
    'ktenv-label-misplaced',
    'ktenv-label-missing',
    'ktenv-subset-invalid',
    'ktenv-workload-ignored',
  ],
  'is the tag injected': [
    'ktenv-namespace-labels',
    'ktenv-webhook-labels',
    'ktenv-webhook-label-first',
    'ktenv-webhook-order',
    'ktenv-native-sidecar',
    'ktenv-sidecar-missing',
  ],
  'is the EnvoyFilter right': [
    'ktenv-auto-inject-istio',
    'ktenv-header-label',
    'ktenv-envoy-filter-conflict',
    'ktenv-hand-written',
  ],
  'is it in error_state for a conflict': ['ktenv-envoy-filter-conflict', 'ktenv-route-conflict'],
  'do the apps pass the header on': ['ktenv-header-propagation'],
};

/** What the page does not ask. */
const TRAPS: Readonly<Record<string, readonly string[]>> = {
  'the default subset is missing': ['ktenv-default-subset-missing'],
  'subsets of one name': ['ktenv-subset-duplicate', 'ktenv-subset-collision'],
  'labels that are no subset': ['ktenv-subset-invalid'],
  'the prefix http of ports': ['ktenv-port-unrouted', 'ktenv-port-https'],
  'several Services on one pod': ['ktenv-pods-shared'],
  'one route, no VirtualService': ['ktenv-single-route'],
  'a second VirtualEnvironment': ['ktenv-virtual-environment-second'],
  'autoInject is dead from Istio 1.19 on': ['ktenv-auto-inject-istio'],
  'native sidecars are not tagged': ['ktenv-native-sidecar'],
  'the list of labels of the webhook': ['ktenv-webhook-labels', 'ktenv-webhook-label-first'],
  'the public key pair': ['ktenv-public-certificate', 'ktenv-private-key'],
  'aliases without placeholder': [
    'ktenv-alias-placeholder-missing',
    'ktenv-alias-placeholder-unused',
    'ktenv-alias-ambiguous',
  ],
  'hand-written objects are overwritten': ['ktenv-hand-written', 'ktenv-route-conflict'],
  'an environment without workloads goes to the default': ['ktenv-environment-unknown'],
  'the splitter': ['ktenv-splitter-unused', 'field-invalid'],
  'the pattern of an alias is required': ['field-missing'],
  'annotations of Services': ['ktenv-annotation-blank', 'ktenv-rule-annotation', 'ktenv-gateway-port'],
};

const known: Readonly<Record<string, unknown>> = { ...ktenvRules, ...schemaRules };
const answers = Object.entries({ ...QUESTIONS, ...TRAPS });

describe('the traps of KtEnv', () => {
  it.each(answers)('%s: there are rules', (_, rules) => {
    expect(rules.filter((rule) => known[rule] === undefined)).toEqual([]);
  });

  it('are all covered by rules', () => {
    const used = new Set(answers.flatMap(([, rules]) => rules));
    expect(Object.keys(ktenvRules).filter((rule) => !used.has(rule))).toEqual([]);
  });

  it('are in the document, each with a link to its page', () => {
    expect(Object.keys(ktenvRules).filter((rule) => !DOCS.includes(`(rules/${rule}.md)`))).toEqual([]);
  });
});
