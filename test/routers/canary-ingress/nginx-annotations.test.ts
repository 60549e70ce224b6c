import { describe, expect, it } from 'vitest';
import {
  accepted as acceptedBy,
  type CheckedAnnotation,
  refusedAnnotation,
} from '../../../src/routers/canary-ingress/nginx-annotations';

const PREFIX = 'nginx.ingress.kubernetes.io';
const NAMES: readonly CheckedAnnotation[] = [
  'canary-by-header',
  'canary-by-header-value',
  'canary-by-header-pattern',
  'canary-by-cookie',
];
const accepted = (name: CheckedAnnotation, value: string | undefined) =>
  acceptedBy(name, value, { annotationValidation: true });
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

describe('the characters that ingress-nginx accepts', () => {
  it.each<[CheckedAnnotation, string]>([
    ['canary-by-header', ' -./:_~'],
    ['canary-by-header-value', ' -./:_~'],
    ['canary-by-header-pattern', '$&()*+-./:=?[\\]^_{|}~'],
    ['canary-by-cookie', ' -./:_~'],
  ])('in %s, apart from letters and digits', (name, expected) => {
    const signs = ASCII.filter(
      (character) => accepted(name, `a${character}b`) !== undefined && !/[A-Za-z0-9]/.test(character),
    );
    expect(signs.join('')).toEqual(expected);
    expect([
      accepted(name, 'aZ09'),
      accepted(name, ''),
      accepted(name, undefined),
      accepted(name, 'ä'),
      accepted(name, 'a\u0000'),
    ]).toEqual(['aZ09', '', undefined, undefined, undefined]);
  });

  it('are any where a release checks none', () => {
    for (const name of NAMES) expect(acceptedBy(name, 'ä@', { annotationValidation: false })).toBe('ä@');
  });

  it.each<[object, string | undefined]>([
    [{}, undefined],
    [
      {
        'canary-by-header': 'x-c',
        'canary-by-header-value': 'a',
        'canary-by-header-pattern': '^a$',
        'canary-by-cookie': 'g',
      },
      undefined,
    ],
    [
      { 'canary-by-header': 'x@c' },
      'ingress-nginx 1.12 and later read canary-by-header: "x@c" as empty, as only letters, digits, spaces and -._~:/ are allowed there',
    ],
    [
      { 'canary-by-header-value': 'a"b' },
      'ingress-nginx 1.12 and later read canary-by-header-value: "a\\"b" as empty, as only letters, digits, spaces and -._~:/ are allowed there',
    ],
    [
      { 'canary-by-header-pattern': 'a b' },
      'ingress-nginx 1.12 and later read canary-by-header-pattern: "a b" as empty, as only letters, digits and -._~:/^$[](){}*+?|&=\\ are allowed there',
    ],
    [
      { 'canary-by-cookie': 'a;b' },
      'ingress-nginx 1.12 and later read canary-by-cookie: "a;b" as empty, as only letters, digits, spaces and -._~:/ are allowed there',
    ],
    [
      { 'canary-by-cookie': 'a;b', 'canary-by-header-value': '@' },
      'ingress-nginx 1.12 and later read canary-by-header-value: "@" as empty, as only letters, digits, spaces and -._~:/ are allowed there',
    ],
    [{ 'canary-weight': '@' }, undefined],
    [{ 'canary-by-header': '' }, undefined],
  ])('refuses the first of %j', (values, expected) => {
    const annotations = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`${PREFIX}/${name}`, value as string]),
    );
    expect(refusedAnnotation({ annotations })).toEqual(expected);
  });

  it('does not read annotations of another prefix', () => {
    expect(
      refusedAnnotation({ annotations: Object.fromEntries(NAMES.map((name) => [`x/${name}`, '@'])) }),
    ).toBeUndefined();
  });
});
