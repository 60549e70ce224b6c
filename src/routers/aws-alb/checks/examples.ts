/** The manifests behind the examples of the rules: complete, valid, and without a finding. */
import { edit } from '../../../core/example';

export { edit, SERVICE, yaml } from '../../../core/example';

export const ACTION = '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}';

export const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/actions.web: '${ACTION}'
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: web, port: { name: use-annotation } } } }
`;

/** A line of the Ingress after which an example adds annotations. */
const LAST_ANNOTATION = 'spec:\n  ingressClassName: alb';

/** The Ingress with further annotations of the controller; a value is written as JSON unless it is a text. */
export function annotated(annotations: Readonly<Record<string, unknown>>, ingress: string = INGRESS): string {
  const lines = Object.entries(annotations).map(([suffix, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `    alb.ingress.kubernetes.io/${suffix}: '${text}'\n`;
  });
  return edit(ingress, [LAST_ANNOTATION, `${lines.join('')}${LAST_ANNOTATION}`]);
}

/** The Ingress with another action of `web`. */
export function withAction(action: string): string {
  return edit(INGRESS, [ACTION, action]);
}

/** A second Ingress next to `web`. */
export function named(name: string, ingress: string = INGRESS): string {
  return edit(ingress, ['  name: web\n', `  name: ${name}\n`], ['host: shop.', `host: ${name}.`]);
}

/** A header condition. */
export const header = (name: string, config: object) => ({
  field: 'http-header',
  httpHeaderConfig: { httpHeaderName: name, ...config },
});
