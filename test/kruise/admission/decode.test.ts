/** Numbers that the webhook can not decode, although the CRD accepts them. */
import { describe, expect, it } from 'vitest';
import { undecodable } from '../../../src/kruise/admission/decode';
import { comparableRoutings } from '../../../src/kruise/admission/traffic-routing';
import { isLocked } from '../../../src/kruise/admission/update';

const INT32 = { type: 'integer', format: 'int32' };
const INT64 = { type: 'integer', format: 'int64' };
const EITHER = { 'x-kubernetes-int-or-string': true };
const isRefused = (value: number, schema: object) => undecodable(value, schema as never) !== undefined;

describe('a number', () => {
  it.each<[value: number, schema: object, refused: boolean]>([
    [2147483647, INT32, false],
    [2147483648, INT32, true],
    [-2147483648, INT32, false],
    [-2147483649, INT32, true],
    [0, INT32, false],
    [2147483647, EITHER, false],
    [2147483648, EITHER, true],
    [-2147483648, EITHER, false],
    [-2147483649, EITHER, true],
    [2147483648, INT64, false],
    [-2147483649, INT64, false],
    [2 ** 63 - 1024, INT64, false],
    [2 ** 63, INT64, true],
    [-(2 ** 63), INT64, false],
    [-(2 ** 63) - 2048, INT64, true],
    [2 ** 70, { type: 'integer' }, false],
    [2 ** 70, { type: 'number', format: 'double' }, false],
    [2147483648, { 'x-kubernetes-int-or-string': false }, false],
  ])('%d by %j is refused: %s', (value, schema, refused) => {
    expect(isRefused(value, schema)).toBe(refused);
  });

  it('has the size, the place, and the message of Go', () => {
    expect(undecodable(3e9, INT32 as never, ['spec', 'steps', 1, 'replicas'], 'StepV1beta1')).toStrictEqual({
      path: ['spec', 'steps', 1, 'replicas'],
      value: 3e9,
      bits: 32,
      message: 'json: cannot unmarshal number 3000000000 into Go struct field Step.spec.steps.replicas of type int32',
    });
    expect(undecodable(1e19, INT64 as never, ['a'], 'StepV1alpha1')).toStrictEqual({
      path: ['a'],
      value: 1e19,
      bits: 64,
      message: 'json: cannot unmarshal number 10000000000000000000 into Go struct field Step.a of type int64',
    });
    expect(undecodable(3e9, INT32 as never, ['a'], 'V1beta1Step')?.message).toContain(' field V1beta1Step.a of');
    expect(undecodable(3e9, INT32 as never, ['a'])?.message).toContain('Go struct field .a of type int32');
    expect(undecodable(3e9, INT32 as never)?.path).toEqual([]);
  });
});

describe('a value', () => {
  const schema = {
    type: 'object',
    title: 'Outer',
    properties: {
      a: INT32,
      list: { type: 'array', items: INT32 },
      any: { type: 'array' },
      inner: { type: 'object', title: 'InnerV1beta1', properties: { b: INT32 } },
      nameless: { type: 'object', properties: { b: INT32 } },
      map: { type: 'object', additionalProperties: INT32 },
    },
  };
  const found = (value: unknown) => {
    const { path, message } = undecodable(value as never, schema as never) ?? {};
    return path === undefined ? undefined : [path.join('.'), message?.replace(/.*struct field (.*) of type.*/, '$1')];
  };

  it.each<[value: unknown, found: readonly string[] | undefined]>([
    [{ a: 1, list: [1, 2], any: [3e9], inner: { b: 1 }, map: { x: 1 } }, undefined],
    [{ a: 3e9 }, ['a', 'Outer.a']],
    [{ list: [1, 3e9, 4e9] }, ['list.1', 'Outer.list']],
    [{ inner: { b: 3e9 } }, ['inner.b', 'Inner.inner.b']],
    [{ nameless: { b: 3e9 } }, ['nameless.b', 'Outer.nameless.b']],
    [{ map: { x: 3e9 } }, ['map.x', 'Outer.map.x']],
    [{ a: 1, inner: { b: 3e9 }, list: [3e9] }, ['inner.b', 'Inner.inner.b']],
    [{ unknown: 3e9 }, undefined],
    [{ a: '3000000000' }, undefined],
    [{ a: null, inner: null, list: null }, undefined],
    [{ any: [{ b: 3e9 }] }, undefined],
    ['text', undefined],
    [null, undefined],
  ])('%j has %j', (value, expected) => {
    expect(found(value)).toEqual(expected);
  });
});

describe('what the webhook compares in an update', () => {
  it.each<[phase: unknown, locked: boolean]>([
    ['Progressing', true],
    ['Terminating', true],
    ['Healthy', false],
    ['progressing', false],
    ['', false],
    [undefined, false],
    [1, false],
  ])('depends on the phase %j: %s', (phase, locked) => {
    expect(isLocked({ status: { phase } } as never)).toBe(locked);
  });

  it('is nothing of a Rollout without a status', () => {
    expect(isLocked({})).toBe(false);
  });

  it('are routes with what is absent filled in', () => {
    expect(comparableRoutings({})).toBeNull();
    expect(comparableRoutings({ trafficRoutings: [] })).toStrictEqual([]);
    const empty = { service: '', gracePeriodSeconds: 0, ingress: null, gateway: null, customNetworkRefs: null };
    expect(comparableRoutings({ trafficRoutings: [{}] })).toStrictEqual([empty]);
    expect(comparableRoutings({ trafficRoutings: [{ ingress: {} }] })).toStrictEqual([
      { ...empty, ingress: { classType: '', name: '' } },
    ]);
    const all = {
      service: 'web',
      gracePeriodSeconds: 5,
      ingress: { classType: 'nginx', name: 'web' },
      gateway: { httpRouteName: 'web' },
      customNetworkRefs: [{ apiVersion: 'a/v1', kind: 'B', name: 'c' }],
    };
    expect(comparableRoutings({ trafficRoutings: [all, { gateway: {} }] })).toStrictEqual([
      all,
      { ...empty, gateway: {} },
    ]);
  });
});
