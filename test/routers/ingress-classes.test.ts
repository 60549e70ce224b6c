/** Which controller serves an Ingress, and which cloud its ALB is of. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { awsAlbRouter, type Router, routerNamed, routersOf } from '../../src/routers';
import { classNameOf, defaultClassName, namedClassOf, servesIngress } from '../../src/routers/ingress/class';
import { readIngress } from '../../src/routers/ingress/ingress';
import { isAliyun } from '../../src/routers/ingress/is-aliyun';
import { PrefixedAnnotations } from '../../src/routers/ingress/prefixed-annotations';
import { soloRouter } from './solo';
import { app, worldOf } from './stack';

const text = (object: object) => JSON.stringify(object);

const ingress = (spec: object, annotations: object = {}) =>
  Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i', annotations },
    spec,
  } as never);

const ingressClass = (name: string, controller?: string, isDefault?: string) =>
  Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name, ...(isDefault && { annotations: { 'ingressclass.kubernetes.io/is-default-class': isDefault } }) },
    spec: { ...(controller && { controller }) },
  } as never);

const MINE = { controllers: ['x/one', 'x/two'], className: 'mine' };
const CLASS = 'kubernetes.io/ingress.class';

describe('a controller serves an Ingress', () => {
  it.each<[string, Manifest, readonly Manifest[], object, boolean]>([
    ['of its class by name', ingress({ ingressClassName: 'mine' }), [], {}, true],
    ['of another class', ingress({ ingressClassName: 'other' }), [], {}, false],
    [
      'of its class, which another controller has',
      ingress({ ingressClassName: 'mine' }),
      [ingressClass('mine', 'y')],
      {},
      false,
    ],
    [
      'of a class of its controller',
      ingress({ ingressClassName: 'other' }),
      [ingressClass('other', 'x/one')],
      {},
      true,
    ],
    [
      'of a class of its second controller',
      ingress({ ingressClassName: 'other' }),
      [ingressClass('other', 'x/two')],
      {},
      true,
    ],
    ['of a class without a controller', ingress({ ingressClassName: 'mine' }), [ingressClass('mine')], {}, false],
    ['of the annotation', ingress({}, { [CLASS]: 'mine' }), [], {}, true],
    ['of another annotation', ingress({}, { [CLASS]: 'other' }), [ingressClass('other', 'x/one')], {}, false],
    [
      'of another annotation, whatever the field',
      ingress({ ingressClassName: 'mine' }, { [CLASS]: 'other' }),
      [],
      {},
      false,
    ],
    [
      'of the annotation, whatever the field',
      ingress({ ingressClassName: 'other' }, { [CLASS]: 'mine' }),
      [],
      {},
      true,
    ],
    ['of an empty annotation', ingress({ ingressClassName: 'mine' }, { [CLASS]: '' }), [], {}, false],
    ['without a class', ingress({}), [], {}, false],
    ['without a class where it may', ingress({}), [], { withoutClass: true }, true],
    ['without a class where it may not', ingress({}), [], { withoutClass: false }, false],
    ['of the default class', ingress({}), [ingressClass('d', 'x/one', 'true')], {}, true],
    ['of the default class of another', ingress({}), [ingressClass('d', 'y', 'true')], { withoutClass: true }, false],
    [
      'of two default classes',
      ingress({}),
      [ingressClass('d', 'x/one', 'true'), ingressClass('e', 'x/one', 'true')],
      {},
      false,
    ],
    ['of a class that is no default', ingress({}), [ingressClass('d', 'x/one', 'false')], {}, false],
    ['of the class of its options', ingress({ ingressClassName: 'special' }), [], { ingressClass: 'special' }, true],
    [
      'of its class beside that of its options',
      ingress({ ingressClassName: 'mine' }),
      [],
      { ingressClass: 'special' },
      false,
    ],
    ['of the annotation of its options', ingress({}, { [CLASS]: 'special' }), [], { ingressClass: 'special' }, true],
  ])('%s', (_, manifest, classes, options, expected) => {
    const world = World.of([manifest, ...classes]);
    expect(servesIngress(world, readIngress(world, manifest), MINE, options)).toBe(expected);
  });

  it('whose class is named, or the default', () => {
    const world = World.of([ingressClass('d', 'x', 'true')]);
    expect(
      [ingress({}), ingress({ ingressClassName: 'f' }), ingress({ ingressClassName: 'f' }, { [CLASS]: 'a' })].map(
        (each) => [namedClassOf(each), classNameOf(world, each)],
      ),
    ).toEqual([
      [undefined, 'd'],
      ['f', 'f'],
      ['a', 'a'],
    ]);
    expect([defaultClassName(world), defaultClassName(World.of([])), classNameOf(World.of([]), ingress({}))]).toEqual([
      'd',
      undefined,
      undefined,
    ]);
  });
});

describe('an ALB is of Alibaba Cloud', () => {
  const ALB = 'alb.ingress.kubernetes.io';
  const config = Manifest.of({
    apiVersion: 'alibabacloud.com/v1',
    kind: 'AlbConfig',
    metadata: { name: 'a' },
  } as never);

  it.each<[string, readonly Manifest[], object | undefined, boolean]>([
    ['not without a sign', [ingress({ ingressClassName: 'alb' })], undefined, false],
    ['by a Rollout', [], { classTypes: ['x', 'aliyun-alb'] }, true],
    ['not by another Rollout', [], { classTypes: ['aws-alb'] }, false],
    ['by an AlbConfig', [config], {}, true],
    ['by a class', [ingressClass('x', 'ingress.k8s.alibabacloud/alb')], undefined, true],
    ['not by the class of AWS', [ingressClass('alb', 'ingress.k8s.aws/alb')], undefined, false],
    ...['order', 'canary', 'canary-by-header', 'canary-by-cookie', 'canary-weight'].map(
      (name): [string, readonly Manifest[], undefined, boolean] => [
        `by the annotation ${name}`,
        [ingress({}), ingress({}, { [`${ALB}/${name}`]: '' })],
        undefined,
        true,
      ],
    ),
    [
      'not by an annotation of both',
      [ingress({}, { [`${ALB}/listen-ports`]: '[]', [`${ALB}/canary-by-header-value`]: 'a' })],
      undefined,
      false,
    ],
    [
      'not by the annotation of another',
      [ingress({}, { 'nginx.ingress.kubernetes.io/canary': 'true' })],
      undefined,
      false,
    ],
  ])('%s', (_, manifests, hints, expected) => {
    const world = World.of([...manifests]);
    expect(isAliyun(world, hints)).toBe(expected);
    expect(awsAlbRouter().isUsed!(world, hints)).toBe(!expected);
    expect(routerNamed('aliyun-alb').isUsed!(world, hints)).toBe(expected);
  });
});

describe('annotations under a prefix', () => {
  const of = (annotations: object, ...prefixes: string[]) => {
    const manifest = ingress({}, annotations);
    return new PrefixedAnnotations(readIngress(World.of([manifest]), manifest), prefixes);
  };

  it('are those of the first prefix that has the key', () => {
    const both = of({ 'a/x': '1', 'b/x': '2', 'b/y': '3' }, 'a', 'b');
    expect([both.text('x'), both.text('y'), both.text('z')]).toEqual(['1', '3', undefined]);
    expect([both.only('b').text('x'), both.only('a').text('y')]).toEqual(['2', undefined]);
    expect(of({ 'a/x': '', 'b/x': '2' }, 'a', 'b').text('x')).toBeUndefined();
  });

  it.each<[string, string | undefined, boolean | undefined, number | undefined]>([
    ['1', '1', true, 1],
    ['0', '0', false, 0],
    ['true', 'true', true, undefined],
    ['F', 'F', false, undefined],
    ['yes', 'yes', undefined, undefined],
    ['', undefined, undefined, undefined],
    ['-5', '-5', undefined, -5],
    ['+5', '+5', undefined, 5],
    ['-0', '-0', undefined, 0],
    ['007', '007', undefined, 7],
    ['123456789', '123456789', undefined, 123456789],
    ['1234567890', '1234567890', undefined, undefined],
    ['1.5', '1.5', undefined, undefined],
    [' 5', ' 5', undefined, undefined],
    ['5 ', '5 ', undefined, undefined],
    ['5%', '5%', undefined, undefined],
  ])('%j is the text %j, the boolean %j and the number %j', (value, asText, asBool, asNumber) => {
    const annotations = of({ 'a/x': value }, 'a');
    expect([annotations.text('x'), annotations.bool('x'), annotations.integer('x')]).toEqual([
      asText,
      asBool,
      asNumber,
    ]);
  });

  it('that are missing are nothing', () => {
    const none = of({}, 'a');
    expect([none.text('x'), none.bool('x'), none.integer('x')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the routers that a stack is for', () => {
  const names = (world: World, routers?: readonly Router[]) => routersOf(world, routers).map(({ name }) => name);

  it('are those that alone read a kind, even if nothing is served', () => {
    expect(
      names(worldOf(text({ apiVersion: 'networking.istio.io/v1', kind: 'DestinationRule', metadata: { name: 'd' } }))),
    ).toEqual(['istio']);
    expect(names(worldOf(app('web')))).toEqual([]);
    const solo = text({ apiVersion: 'gateway.solo.example/v1', kind: 'VirtualService', metadata: { name: 'v' } });
    expect(names(worldOf(solo))).toEqual([]);
    expect(names(worldOf(solo), [soloRouter()])).toEqual(['solo']);
  });

  it('are no routers that share a kind and serve none of it', () => {
    const one = ingress({ ingressClassName: 'nginx', rules: [] });
    expect(names(World.of([one]))).toEqual(['nginx']);
    expect(names(World.of([ingress({ ingressClassName: 'unknown' })]))).toEqual([]);
    expect(names(World.of([ingress({ ingressClassName: 'unknown' })]), [routerNamed('nginx')])).toEqual(['nginx']);
    expect(names(World.of([one]), [routerNamed('nginx'), routerNamed('mse')])).toEqual(['nginx']);
  });
});
