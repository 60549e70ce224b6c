import { compileRegex } from '../../core/regex';
import type { IngressClassOptions } from '../ingress/class';
import type { PrefixedAnnotations } from '../ingress/prefixed-annotations';
import type { Router } from '../router';
import { type ConditionTest, type GatewayDialect, gatewayRouter } from './gateway';

/**
 * Higress with the canary annotations of nginx.
 * @example higressRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function higressRouter(options?: IngressClassOptions): Router {
  return gatewayRouter(HIGRESS, options);
}

const HIGRESS: GatewayDialect = {
  name: 'higress',
  controllers: ['higress.io/higress-controller'],
  className: 'higress',
  prefixes: ['nginx.ingress.kubernetes.io', 'higress.io'],
  headerTest,
  queryTest: () => undefined,
  subset: () => undefined,
};

/** The value is read as a regular expression; "always" matches in addition to it. */
function headerTest(annotations: PrefixedAnnotations): ConditionTest | undefined {
  const name = annotations.text('canary-by-header');
  if (name === undefined) return undefined;
  const value = annotations.text('canary-by-header-value');
  if (value !== undefined) return condition(name, `is "${value}" or "always"`, `always|${value}`);
  const pattern = annotations.text('canary-by-header-pattern');
  if (pattern !== undefined) return condition(name, `matches ${pattern}`, `.*${pattern}.*`);
  return { name, words: `header ${name} is "always"`, test: (found) => found === 'always' };
}

function condition(name: string, words: string, expression: string): ConditionTest {
  const test = compileRegex(expression, { whole: true });
  return { name, words: `header ${name} ${words}`, test: (found) => test?.(found) ?? false };
}
