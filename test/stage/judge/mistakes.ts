/** Values that people write by mistake, by the field they write them in. Some of them are valid. */
import type { Json } from '../../../src/core';

interface Mistakes {
  readonly fits: (field: string, value: string | number) => boolean;
  readonly values: readonly Json[];
}

const isText = (value: string | number) => typeof value === 'string';

export const TEXTS: readonly Mistakes[] = [
  {
    fits: (field, value) =>
      isText(value) && /(name|service|rollout|ref|ingress|class|key|account|subset|splitter)s?$/i.test(field),
    values: ['Web', 'a_b', 'a b', 'a/b', '-a', 'a-', 'a.b', '1a', 'a,b', 'ä', '$(A)'],
  },
  {
    fits: (field, value) => isText(value) && /host(name)?s?$/i.test(field),
    values: [
      'Shop.example.com',
      'http://shop.example.com',
      'shop.example.com:80',
      'shop.example.com/',
      '*',
      '*.example.com',
      '*.*.example.com',
      'shop.*.com',
      '10.0.0.1',
      'shop_a.example.com',
      '-a.example.com',
      'localhost',
    ],
  },
  {
    fits: (_, value) => isText(value) && String(value).startsWith('/'),
    values: [
      'foo',
      '//',
      '/a//b',
      '/a/../b',
      '/a/..',
      '/a/./b',
      '/a%2fb',
      '/a%2Fb',
      '/a b',
      '/*',
      '/a?b=c',
      '/a#b',
      'https://a/b',
    ],
  },
  {
    fits: (field) => /port(number)?$|port\.number$|port\.name$/i.test(field),
    values: [
      0,
      -1,
      1,
      65535,
      65536,
      70000,
      80.5,
      '80',
      '0',
      '70000',
      'http',
      'HTTP',
      'a_b',
      'a--b',
      'a-name-of-16-char',
      '-a',
      '123',
    ],
  },
  {
    fits: (_, value) => isText(value) && /^\d+%$/.test(String(value)),
    values: ['150%', '101%', '100%', '0%', '-1%', '5', '5.5%', '%', '5 %', '+5%', '005%', 'five', 20, 0, -1, 1000],
  },
  {
    fits: (field) => /(replicas|surge|unavailable|available|threshold|weight|traffic|partition)$/i.test(field),
    values: ['150%', '50%', '0%', '-1%', '5', '%', '', -1, 0, 1, 101, 1000, 1000001],
  },
  {
    fits: (field, value) => isText(value) && /(cpu|memory|storage|sizelimit|divisor|averagevalue)$/i.test(field),
    values: ['1GB', '100 Mi', '-1', '1.5.5', '1e3', '0.5', '1mi', '1Ki', '0', '100m', 'one', 5, 0.5, -1],
  },
  {
    fits: (_, value) => isText(value) && /^(\d+(ms|s|m|h))+$/.test(String(value)),
    values: ['10', '10 s', '1d', '-1m', '1h30m', '1.5h', '0s', '1ms', '100000h', 'soon', 10],
  },
  {
    fits: (field) =>
      /(seconds|duration|count|limit|period|attempts|percent|percentage|utilization|step|revisions)$/i.test(field),
    values: ['10s', 'ten', -2, 1, 100, 101, 1.5],
  },
  {
    fits: (_, value) => isText(value) && /^[A-Z][A-Za-z]+$/.test(String(value)),
    values: ['Other', 'None', 'true'],
  },
  {
    fits: (field, value) => isText(value) && /(labels|matchLabels|selector|nodeSelector|annotations)\./i.test(field),
    values: ['a b', '-a', 'a_b', 'a/b', 'ä', 'a,b', '{"a": 1}'],
  },
  { fits: (field, value) => isText(value) && /image$/.test(field), values: ['', ' a', 'a b', 'a:', 'A', 'a@b'] },
  {
    fits: (field, value) => isText(value) && /(restartAt|time)$/i.test(field),
    values: ['yesterday', '2024-01-01', '2024-13-01T00:00:00Z', '2024-01-01 00:00:00'],
  },
  {
    fits: (field, value) => isText(value) && /binaryData|^data\./.test(field),
    values: ['a', '!!!', 'aGVsbG8', 'aGVsbG8=\n'],
  },
];

/** How an apiVersion is misspelt. */
export function API_VERSIONS(apiVersion: string): string[] {
  const [version = '', group] = apiVersion.split('/').reverse();
  const others = ['v1', 'v2', 'v1beta1', 'v1alpha1', 'V1'].filter((other) => other !== version);
  if (group === undefined) return [...others, 'core/v1', 'apps/v1', ''];
  const [first = '', ...domain] = group.split('.');
  const groups = [
    `${first[0]!.toUpperCase()}${group.slice(1)}`,
    [first.replace(/s$/, ''), ...domain].join('.'),
    [`${first}s`, ...domain].join('.'),
    domain.join('.'),
    [first, ...domain.slice(0, -1)].join('.'),
    group.replace(/\.(io|com)$/, '.dev'),
    ...(domain.length > 1 && domain[0] !== 'k8s' ? [`apps.${domain.join('.')}`] : []),
  ].filter((other) => other !== group && other !== '');
  return [
    ...others.map((other) => `${group}/${other}`),
    ...new Set(groups.map((other) => `${other}/${version}`)),
    group,
    version,
    `${group}/${version}/x`,
    ` ${apiVersion}`,
    '',
  ];
}

/** How a kind is misspelt. */
export function KINDS(kind: string): string[] {
  const inner = kind.slice(1).toLowerCase();
  return [
    kind.toLowerCase(),
    kind.toUpperCase(),
    `${kind}s`,
    kind.slice(0, -1),
    `${kind[0]}${inner}`,
    `${kind} `,
    `${kind}List`,
    `${kind[0]}${kind.slice(2)}`,
    'RollOut',
    'Pod',
    '',
  ].filter((other, index, all) => other !== kind && all.indexOf(other) === index);
}
