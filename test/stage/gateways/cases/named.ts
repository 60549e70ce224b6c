/** Cases with a question of their own. */
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import type { GatewayCase } from '../gateway';
import { httpProxyCases } from './http-proxy';
import { HTTP_ROUTES } from './http-route';
import { httpRouteCases } from './http-route-named';
import { ingressCases, traefikIngressCases } from './ingress';
import { hostCases } from './ingress-route';
import { istioGateway } from './values';

const ISTIO = 'networking.istio.io/v1';

/** Headers that clients send, without those that the gateway writes itself, such as x-request-id. */
const COMMON_HEADERS =
  `user-agent accept accept-encoding accept-language authorization cache-control content-type origin referer
  via pragma cookie x-forwarded-host x-user x-env x-b3-traceid traceparent x-client-trace-id grpc-timeout grpc-accept-encoding
  x-real-ip forwarded date range if-match if-none-match if-range if-modified-since if-unmodified-since
  access-control-request-method access-control-request-headers`.split(/\s+/);

/** Every case of a gateway that is not drawn at random. */
export function namedCases(gateway: string): GatewayCase[] {
  const [name] = gateway.split('@') as [string];
  return casesOf(name).map((each) => ({ ...each, gateway }));
}

function casesOf(gateway: string): GatewayCase[] {
  if (gateway === 'istio') return [repeatedHeaders()];
  if (gateway === 'traefik') return hostCases(gateway);
  if (gateway === 'contour') return httpProxyCases(gateway);
  if (gateway === 'nginx') return ingressCases('nginx', gateway);
  if (gateway === 'traefik-ing') return [...ingressCases('traefik', gateway), ...traefikIngressCases(gateway)];
  const httpRoutes = HTTP_ROUTES[gateway];
  return httpRoutes === undefined ? [] : httpRouteCases(gateway, httpRoutes);
}

/** Whether two headers of one name are two values, or one of both. */
function repeatedHeaders(): GatewayCase {
  const host = 'repeated.test';
  const route = (name: string) => ({ route: [{ destination: { host: name, port: { number: 80 } } }] });
  const http = COMMON_HEADERS.flatMap((header) => [
    { match: [{ uri: { exact: `/${header}` }, headers: { [header]: { exact: 'a,a' } } }], ...route('s2') },
    { match: [{ uri: { exact: `/${header}` }, headers: { [header]: { exact: 'a' } } }], ...route('s1') },
  ]);
  return {
    case: 'repeated-headers',
    gateway: 'istio',
    objects: virtualService('repeated', host, [...http, route('s3')]),
    requests: COMMON_HEADERS.flatMap((header) => [
      `GET http://${host}/${header} -H "${header}: a"`,
      `GET http://${host}/${header} -H "${header}: a" -H "${header}: a"`,
      `GET http://${host}/${header} -H "${header}: a" -H "${header}: b"`,
    ]),
  };
}

function virtualService(name: string, host: string, http: readonly object[]): KubernetesObject[] {
  const metadata = { name, namespace: NAMESPACE };
  return [
    istioGateway(name, NAMESPACE, [host]),
    { apiVersion: ISTIO, kind: 'VirtualService', metadata, spec: { hosts: [host], gateways: [name], http } },
  ];
}
