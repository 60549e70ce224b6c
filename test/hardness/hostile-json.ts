import { HOSTILE } from './hostile-texts';

/** Text of JSON that a parser with a grudge would choose. */
export const HOSTILE_JSON: readonly string[] = [
  '{"__proto__":{"type":"forward"},"type":"redirect"}',
  '{"constructor":{"prototype":{"polluted":true}},"type":"constructor"}',
  '[{"field":"__proto__"},{"field":"toString"},{"field":"constructor"}]',
  '{"type":"forward","type":"redirect","TYPE":"fixed-response"}',
  '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":1e400,"weight":99999999999999999999}]}}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"type":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`,
  '{"type":"\\ud800","\\udc00":"x"}',
  '{"type":"forward"}garbage',
  '\ufeff{}',
  'null',
  '""',
  '-0',
  '{"forwardConfig":{"targetGroups":{}}}',
  '{"type":"forward","forwardConfig":{"targetGroups":[null,1,"x",[]]}}',
  '[{"field":"path-pattern","pathPatternConfig":{"regexValues":["(a+)+$","(","[z-a]"]}}]',
  `[${'{"field":"host-header","hostHeaderConfig":{"values":["a"]}},'.repeat(200)}{}]`,
  ...HOSTILE,
];
