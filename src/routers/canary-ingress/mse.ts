import { compileRegex } from '../../core/regex';
import type { IngressClassOptions } from '../ingress/class';
import type { PrefixedAnnotations } from '../ingress/prefixed-annotations';
import type { Router } from '../router';
import type { Subset } from '../services';
import { type ConditionTest, type GatewayDialect, gatewayRouter } from './gateway';

/**
 * The gateway of Alibaba Cloud's Microservices Engine: nginx's canary annotations, query parameters and subsets.
 * @example mseRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function mseRouter(options?: IngressClassOptions): Router {
  return gatewayRouter(MSE, options);
}

/** The prefix of annotations that only MSE has. Those of nginx are read under the prefix of nginx, too. */
const MSE_PREFIX = 'mse.ingress.kubernetes.io';

const MSE: GatewayDialect = {
  name: 'mse',
  controllers: ['mse.alibabacloud.com/ingress'],
  className: 'mse',
  prefixes: ['nginx.ingress.kubernetes.io', MSE_PREFIX],
  headerTest: (annotations) => conditionOf(annotations, 'header', 'canary-by-header'),
  queryTest: (annotations) => conditionOf(annotations.only(MSE_PREFIX), 'query parameter', 'canary-by-query'),
  subset: (annotations) => subsetOf(annotations.only(MSE_PREFIX)),
};

function conditionOf(annotations: PrefixedAnnotations, subject: string, key: string): ConditionTest | undefined {
  const name = annotations.text(key);
  if (name === undefined) return undefined;
  const value = annotations.text(`${key}-value`);
  const pattern = value === undefined ? annotations.text(`${key}-pattern`) : undefined;
  if (pattern === undefined) {
    const wanted = value ?? 'always';
    return { name, words: `${subject} ${name} is "${wanted}"`, test: (found) => found === wanted };
  }
  const test = compileRegex(`.*${pattern}.*`, { whole: true });
  return { name, words: `${subject} ${name} matches ${pattern}`, test: (found) => test?.(found) ?? false };
}

const SUBSET_LABEL = 'opensergo.io/canary';

/** An empty subset means the pods without the label. A label selector cannot express that, so all pods match. */
function subsetOf(annotations: PrefixedAnnotations): Subset | undefined {
  const name = annotations.text('service-subset');
  if (name === undefined) return undefined;
  const [key, value] = (annotations.text('subset-labels') ?? '').split(/\s+/);
  return { name, labels: key && value ? { [key]: value } : { [SUBSET_LABEL]: name } };
}
