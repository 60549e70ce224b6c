/** The small parts that everything is built of: values, versions, durations, and what is looked up by a key. */
import { describe, expect, it, test } from 'vitest';
import { type Finding, Manifest, World } from '../../src/core';
import { severityOfAbsence } from '../../src/core/absence';
import { Budget, BudgetSpent } from '../../src/core/budget';
import { isClusterScoped } from '../../src/core/cluster-scoped';
import { parseDuration, secondsOf } from '../../src/core/duration';
import { isFinding, isRef } from '../../src/core/finding-shape';
import { findingsBy } from '../../src/core/finding-store';
import * as json from '../../src/core/json';
import { indexedBy, keyedBy } from '../../src/core/keyed';
import { mergePatch } from '../../src/core/merge-patch';
import { classOf, describedKinds, listedNames, shownValue } from '../../src/core/shape-words';
import { compareVersionNumbers, nearestVersion, parseVersionNumber } from '../../src/core/version-number';

describe('a merge patch', () => {
  test.each<[json.Json | undefined, json.JsonObject, json.JsonObject]>([
    [{ a: 1, b: 2 }, { b: null }, { a: 1 }],
    [{ a: 1 }, { b: null }, { a: 1 }],
    [{ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: 1 }, { a: { b: { c: null, d: 1 } } }, { a: { b: { d: 1 } } }],
    ['text', { a: 1 }, { a: 1 }],
    [undefined, {}, {}],
  ])('%j with %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });
});

describe('versions', () => {
  test.each([
    ['1.24', [1, 24, 0]],
    ['v1.24.3', [1, 24, 3]],
    ['1.24.3-distroless', [1, 24, 3]],
    ['1.2.3+build', [1, 2, 3]],
    ['1.2-rc1', [1, 2, 0]],
    ['1', undefined],
    ['x1.2', undefined],
    ['1.2.3.4', undefined],
    ['1.2 ', undefined],
    ['', undefined],
  ])('%s is read', (text, numbers) => {
    expect(parseVersionNumber(text)).toEqual(numbers);
  });

  it('are compared number by number', () => {
    const sorted = ['1.2.3', '1.2.10', '1.10.0', '2.0.0'].map((text) => parseVersionNumber(text)!);
    expect([...sorted].reverse().sort(compareVersionNumbers)).toEqual(sorted);
    expect(compareVersionNumbers([1, 2, 3], [1, 2, 3])).toBe(0);
  });

  test.each([
    ['1.4.0', '1.4.2'],
    ['1.4.2', '1.4.2'],
    ['1.4.3', '1.4.2'],
    ['1.4.9', '1.4.5'],
    ['1.5.0', '1.4.5'],
    ['1.6.0', '1.6.1'],
    ['2.0.0', '1.6.1'],
    ['0.9.0', '1.3.0'],
  ])('the nearest to %s is %s', (text, nearest) => {
    const all = ['1.3.0', '1.4.2', '1.4.5', '1.6.1'].map((version) => ({ version }));
    expect(nearestVersion(all, parseVersionNumber(text)!).version).toBe(nearest);
  });
});

describe('durations', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['1h', 3600],
    ['1h2m3s', 3723],
    ['1.5h', 5400],
    ['.5s', 0.5],
    ['5.s', 5],
    ['250ms', 0.25],
    ['-2m', -120],
    ['+2m', 120],
    ['10', undefined],
    ['1d', undefined],
    ['', undefined],
    ['-', undefined],
    ['h', undefined],
    ['1h 2m', undefined],
    ['3000000h', undefined],
    ['2562047h', 9223369200],
  ])('%s', (text, seconds) => {
    const found = parseDuration(text);
    if (seconds === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(seconds, 9);
  });

  test.each(['us', 'µs', 'μs', 'ns'])('have small units: %s', (unit) => {
    expect(parseDuration(`4${unit}`)).toBeCloseTo(unit === 'ns' ? 4e-9 : 4e-6, 15);
  });

  it('are seconds, or know theirs', () => {
    expect([secondsOf(5), secondsOf({ toSeconds: () => 7 })]).toEqual([5, 7]);
  });
});

describe('plain data', () => {
  const values = [null, undefined, 1, Number.NaN, 'x', true, [1, 'a'], { a: 'b', c: 1 }];

  it('is taken as one type, or as nothing', () => {
    expect(values.map(json.isJsonObject)).toEqual([false, false, false, false, false, false, false, true]);
    expect(values.map(json.asObject)).toEqual([{}, {}, {}, {}, {}, {}, {}, { a: 'b', c: 1 }]);
    expect(values.map(json.asList)).toEqual([[], [], [], [], [], [], [1, 'a'], []]);
    expect(values.map(json.asText)).toEqual(['', '', '', '', 'x', '', '', '']);
    expect(values.map(json.numberOf)).toEqual([...Array(2), 1, ...Array(5)]);
    expect(values.map(json.textsOf)).toEqual([[], [], [], [], [], [], ['a'], []]);
    expect(values.map((value) => ({ ...json.stringsOf(value) }))).toEqual([...Array(7).fill({}), { a: 'b' }]);
    expect([...json.stringMapOf({ a: 'b', c: 1 })]).toEqual([['a', 'b']]);
    expect([null, undefined, 0, ''].map((value) => json.isSet(value))).toEqual([false, false, true, true]);
    expect(values.map(json.typeName)).toEqual([
      'null',
      'null',
      'a number',
      'a number',
      'a string',
      'a boolean',
      'a list',
      'an object',
    ]);
  });

  it('has only its own keys', () => {
    expect(json.ownValue({}, 'constructor')).toBeUndefined();
    expect(json.ownValue({ a: 1 }, 'a')).toBe(1);
    expect(json.ownValue([5], 0)).toBe(5);
    expect([null, 'text', undefined].map((value) => json.ownValue(value, 'length'))).toEqual([...Array(3)]);
    expect([json.partOf({ a: { b: 1 } }, 'a'), json.partOf({ a: 1 }, 'a'), json.partOf(undefined, 'a')]).toEqual([
      { b: 1 },
      undefined,
      undefined,
    ]);
    const object = {};
    json.setOwnValue(object, '__proto__', 1);
    json.setOwnValue(object, 'a', 2);
    expect(Object.entries(object)).toEqual([
      ['__proto__', 1],
      ['a', 2],
    ]);
    json.setOwnValue(object, '__proto__', 3);
    expect(json.ownValue(object, '__proto__')).toBe(3);
    expect(json.compact({ a: undefined, b: 0 })).toEqual({ b: 0 });
    expect('a' in json.compact({ a: undefined })).toBe(false);
  });

  test.each<[json.Json, json.Json, boolean]>([
    [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [null, {}, false],
    [1, '1', false],
    [null, null, true],
  ])('%j and %j are the same: %j', (left, right, same) => {
    expect(json.sameJson(left, right)).toBe(same);
    expect(json.sameJson(right, left)).toBe(same);
  });

  it('inherits nothing when it is compared', () => {
    expect(json.sameJson({ constructor: 1 }, { a: 1 })).toBe(false);
  });
});

describe('what is looked up by a key', () => {
  it('has every item of the key, in order, once', () => {
    const index = indexedBy(['ab', 'b', 'aa'], (word) => [...word]);
    expect([...index]).toEqual([
      ['a', ['ab', 'aa']],
      ['b', ['ab', 'b']],
    ]);
  });

  it('is put in order once for each list', () => {
    let asked = 0;
    const byLength = keyedBy((word: string) => {
      asked++;
      return [word.length];
    });
    const words = ['a', 'b', 'cc'];
    expect([byLength(words, 1), byLength(words, 2), byLength(words, 3)]).toEqual([['a', 'b'], ['cc'], []]);
    expect(asked).toBe(3);
    expect(byLength(['d'], 1)).toEqual(['d']);
  });

  it('is found once, and kept if that is wanted', () => {
    const found: Finding[] = [];
    let made = 0;
    const make = () => {
      made++;
      return found;
    };
    const key = 'test of values';
    findingsBy(undefined, key, make, () => false);
    expect([findingsBy(undefined, key, make), findingsBy(undefined, key, make), made]).toEqual([found, found, 2]);
    const kept = new Map<string, readonly Finding[]>();
    findingsBy(kept, key, make);
    expect([findingsBy(kept, key, make), made, [...kept.keys()]]).toEqual([found, 3, [key]]);
  });
});

describe('a budget', () => {
  const limits = { seconds: 600, memory: 3 * 2 ** 30, began: Date.now() };

  it('is spent when its time is over', () => {
    expect(new Budget(limits).spent()).toBeUndefined();
    const late = new Budget({ ...limits, began: Date.now() - 601_000 });
    expect(late.spent()).toBe('the time of 600 s');
    expect(() => late.check()).toThrow(BudgetSpent);
    expect(() => new Budget(limits).check()).not.toThrow();
  });

  test.each([
    [3 * 2 ** 30, 'the memory of 3 GB'],
    [1.5 * 2 ** 30, 'the memory of 1.5 GB'],
    [512 * 2 ** 20, 'the memory of 512 MB'],
  ])('is spent when the program has taken its memory, and stays so: %i', (memory, text) => {
    let used = 100;
    const budget = new Budget({ ...limits, memory }, () => used);
    expect(budget.spent()).toBeUndefined();
    used = memory + 101;
    // It is asked for now and then only.
    const answers = Array.from({ length: 16 }, () => budget.spent());
    expect(answers.slice(0, 15)).toEqual(Array(15).fill(undefined));
    expect(answers[15]).toBe(text);
    used = 0;
    expect(budget.spent()).toBe(text);
  });
});

describe('an object that is missing', () => {
  const of = (apiVersion: string, kind: string, name: string, namespace?: string) =>
    Manifest.of({ apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } });
  const rollout = of('argoproj.io/v1alpha1', 'Rollout', 'web', 'shop');
  const missing = { apiVersion: 'v1', kind: 'Service', name: 'web' };

  test.each([
    ['note', []],
    ['note', [of('argoproj.io/v1alpha1', 'Rollout', 'other', 'shop')]],
    ['warning', [of('v1', 'ConfigMap', 'a', 'shop')]],
    ['note', [of('v1', 'ConfigMap', 'a', 'cart')]],
    ['error', [of('v1', 'Service', 'other', 'shop')]],
    ['error', [of('v1', 'Service', 'web', 'cart')]],
    ['note', [of('v1', 'Service', 'other', 'cart')]],
  ])('is a %s', (severity, others) => {
    expect(severityOfAbsence(World.of([rollout, ...others]), rollout, missing)).toBe(severity);
  });

  it('is looked for in its own namespace', () => {
    const world = World.of([rollout, of('v1', 'Service', 'other', 'cart')]);
    expect(severityOfAbsence(world, rollout, { ...missing, namespace: 'cart' })).toBe('error');
    expect(severityOfAbsence(world, rollout, { kind: 'Service', namespace: 'cart' })).toBe('error');
  });
});

describe('kinds without a namespace', () => {
  test.each([
    'Namespace',
    'Node',
    'PersistentVolume',
    'ClusterRole.rbac.authorization.k8s.io',
    'ClusterRoleBinding.rbac.authorization.k8s.io',
    'ClusterIssuer.cert-manager.io',
    'ClusterAnalysisTemplate.argoproj.io',
    'CustomResourceDefinition.apiextensions.k8s.io',
    'APIService.apiregistration.k8s.io',
    'CertificateSigningRequest.certificates.k8s.io',
    'CSIDriver.storage.k8s.io',
    'CSINode.storage.k8s.io',
    'StorageClass.storage.k8s.io',
    'VolumeAttachment.storage.k8s.io',
    'GatewayClass.gateway.networking.k8s.io',
    'IngressClass.networking.k8s.io',
    'IngressClassParams.elbv2.k8s.aws',
    'FlowSchema.flowcontrol.apiserver.k8s.io',
    'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
    'PriorityClass.scheduling.k8s.io',
    'RuntimeClass.node.k8s.io',
    'MutatingWebhookConfiguration.admissionregistration.k8s.io',
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
    'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  ])('%s', (groupKind) => {
    expect(isClusterScoped(groupKind)).toBe(true);
  });

  test.each(['Service', 'Rollout.argoproj.io', 'Gateway.gateway.networking.k8s.io', ''])('not %s', (groupKind) => {
    expect(isClusterScoped(groupKind)).toBe(false);
  });
});

describe('a finding that was read from a file', () => {
  const finding = {
    rule: 'a',
    severity: 'error',
    message: 'm',
    because: 'b',
    fix: 'f',
    docs: 'd',
    path: 'spec',
    construct: 'app/web',
    request: 'GET /',
    step: 0,
    source: { file: 'a.yaml', line: 1, column: 1 },
    object: { apiVersion: 'v1', kind: 'Service', name: 'web' },
    lowered: { from: 'error', by: 'somebody' },
    accepted: { reason: 'known', by: 'option', source: { file: 'a.yaml', line: 1, column: 1 } },
    cause: { rule: 'b', object: { kind: 'Service', name: 'web' } },
    related: {
      message: 'here',
      source: { file: 'a.yaml', line: 1, column: 1 },
      object: { kind: 'Service', name: 'web' },
    },
  };

  it('has everything, or only what it must have', () => {
    const { rule, severity, message, because, fix, docs } = finding;
    expect(isFinding(finding)).toBe(true);
    for (const each of ['error', 'warning', 'note']) {
      expect(isFinding({ rule, severity: each, message, because, fix, docs })).toBe(true);
    }
    expect(isFinding({ ...finding, severity, cause: { rule }, accepted: { reason: 'x' }, related: { message } })).toBe(
      true,
    );
  });

  test.each(['rule', 'severity', 'message', 'because', 'fix', 'docs'])('must have %s', (key) => {
    expect(isFinding({ ...finding, [key]: undefined })).toBe(false);
    expect(isFinding({ ...finding, [key]: 1 })).toBe(false);
  });

  test.each<[string, unknown]>([
    ['severity', 'fatal'],
    ['path', 1],
    ['construct', null],
    ['request', {}],
    ['step', -1],
    ['step', 1.5],
    ['step', '1'],
    ['source', { file: 'a.yaml', line: 1 }],
    ['source', { file: 'a.yaml', column: 1 }],
    ['source', { line: 1, column: 1 }],
    ['source', { file: 'a.yaml', line: 1, column: -1 }],
    ['source', 'a.yaml:1'],
    ['object', { kind: 'Service' }],
    ['object', { name: 'web' }],
    ['object', { kind: 'Service', name: 'web', namespace: 1 }],
    ['object', []],
    ['lowered', { from: 'error' }],
    ['lowered', { by: 'somebody' }],
    ['lowered', 'error'],
    ['accepted', {}],
    ['accepted', 'known'],
    ['accepted', { reason: 'known', by: 1 }],
    ['accepted', { reason: 'known', source: {} }],
    ['cause', 'rule'],
    ['cause', { object: { kind: 'Service', name: 'web' } }],
    ['cause', { rule: 'b', object: {} }],
    ['related', 'here'],
    ['related', {}],
    ['related', { message: 'here', source: {} }],
    ['related', { message: 'here', object: {} }],
  ])('has no other %s: %j', (key, value) => {
    expect(isFinding({ ...finding, [key]: value })).toBe(false);
  });

  it('is an object', () => {
    expect([null, [], 'text', undefined].map(isFinding)).toEqual([false, false, false, false]);
    expect([isRef({ kind: 'Pod', name: 'a' }), isRef(null), isRef({ kind: 'Pod', name: '' })]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('words for values', () => {
  it('name some, and count the others', () => {
    const names = Array.from({ length: 14 }, (_, index) => `n${index}`);
    expect(listedNames([])).toBe('none');
    expect(listedNames(['a', 'b', 'a'])).toBe('a, b');
    expect(listedNames(names.slice(0, 12))).toBe(names.slice(0, 12).join(', '));
    expect(listedNames(names)).toBe(`${names.slice(0, 12).join(', ')} and 2 more`);
  });

  it('say what is expected', () => {
    expect(describedKinds(['any'])).toBe('any value');
    expect(describedKinds(['string', 'number', 'string', 'output'])).toBe('a string or a number');
    expect(describedKinds(['output'])).toBe('an Output');
    expect(describedKinds(['null', { list: 'string' }, { map: 'string' }])).toBe('null or a list or an object');
    expect(describedKinds([{ values: ['a', 1] }])).toBe('"a" or 1');
    expect(describedKinds([{ class: 'AlbAuth' }, { class: 'Service' }])).toBe('an AlbAuth or a Service');
  });

  it('show what is given', () => {
    class Thing {}
    const given = [null, undefined, 'x', 1, true, [], {}, () => 1, new Thing(), Object.create(null)];
    expect(given.map(shownValue)).toEqual([
      'null',
      'undefined',
      'the string "x"',
      'the number 1',
      'the boolean true',
      'a list',
      'an object',
      'a function',
      'an instance of Thing',
      'an object',
    ]);
    expect(shownValue('x'.repeat(60))).toBe(`the string "${'x'.repeat(60)}"`);
    expect(shownValue('x'.repeat(61))).toBe(`the string "${'x'.repeat(60)}…"`);
    expect(shownValue({ __pulumiOutput: true })).toMatch(/^an Output, which is not known yet/);
    expect([classOf({}), classOf(new Thing()), classOf(Object.create(null))]).toEqual([undefined, 'Thing', undefined]);
  });
});
