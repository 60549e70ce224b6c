/** The annotations of an Ingress on an AWS load balancer, as the props that write them. */
import { asObject, isJsonObject, type Json, type JsonObject, textOf } from '../../core/json';
import { annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { type Code, call, isEmpty, list, maybe, object, value } from '../code';

/** The annotations of an Ingress, and those that a prop writes. */
export class AlbAnnotations {
  /** The keys that were read. */
  readonly read = new Set<string>();

  constructor(private readonly annotations: Readonly<Record<string, string>>) {}

  /** The value under a key of the load balancer controller, without its prefix. */
  take(suffix: string): string | undefined {
    return this.takeKey(annotationKey(suffix));
  }

  /** The value under any key. */
  takeKey(key: string): string | undefined {
    if (!Object.hasOwn(this.annotations, key)) return undefined;
    this.read.add(key);
    return this.annotations[key];
  }

  text(suffix: string): Code | undefined {
    return maybe(this.take(suffix));
  }

  /** A number; left where it is if it is not written as one. */
  number(suffix: string): Code | undefined {
    return this.numberUnder(annotationKey(suffix));
  }

  numberUnder(key: string): Code | undefined {
    const text = Object.hasOwn(this.annotations, key) ? this.annotations[key] : undefined;
    if (text === undefined || String(Number(text)) !== text) return undefined;
    this.read.add(key);
    return value(Number(text));
  }

  /** A value out of a closed set; left where it is if it is another one. */
  oneOf(suffix: string, ...allowed: readonly string[]): Code | undefined {
    const key = annotationKey(suffix);
    return allowed.includes(this.annotations[key] ?? '') ? value(this.takeKey(key)!) : undefined;
  }

  /** JSON; left where it is if it is none. */
  json(suffix: string): Json | undefined {
    const key = annotationKey(suffix);
    try {
      const json = JSON.parse(this.annotations[key] ?? '') as Json;
      this.read.add(key);
      return json;
    } catch {
      return undefined;
    }
  }
}

/** The props for the load balancer. */
export function loadBalancerCodes(annotations: AlbAnnotations): Readonly<Record<string, Code | undefined>> {
  const listenPorts = annotations.json('listen-ports');
  const isRedirected = annotations.take('ssl-redirect') !== undefined;
  const isDefault = isRedirected && JSON.stringify(listenPorts) === '[{"HTTP":80},{"HTTPS":443}]';
  const certificates = annotations.take('certificate-arn');
  const port = annotations.number('healthcheck-port') ?? annotations.text('healthcheck-port');
  const healthCheck = object({
    path: annotations.text('healthcheck-path'),
    port,
    protocol: annotations.oneOf('healthcheck-protocol', 'HTTP', 'HTTPS'),
    interval: annotations.number('healthcheck-interval-seconds'),
    timeout: annotations.number('healthcheck-timeout-seconds'),
    healthyThreshold: annotations.number('healthy-threshold-count'),
    unhealthyThreshold: annotations.number('unhealthy-threshold-count'),
    successCodes: annotations.text('success-codes'),
  });
  return {
    listenPorts: listenPorts === undefined || isDefault ? undefined : list(asArray(listenPorts).map(listenPort)),
    certificates: certificates === undefined ? undefined : value(certificates.split(',')),
    sslPolicy: annotations.text('ssl-policy'),
    sslRedirect: isRedirected ? value(true) : undefined,
    healthCheck: isEmpty(healthCheck) ? undefined : healthCheck,
    wafAclArn: annotations.text('wafv2-acl-arn'),
    auth: authCode(annotations),
  };
}

function asArray(json: Json): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

function listenPort(json: Json): Code {
  const [[protocol, port] = ['', null]] = Object.entries(asObject(json));
  return call(protocol === 'HTTPS' ? 'AlbListenPort.https' : 'AlbListenPort.http', value(port));
}

/** The names of fields in an annotation, and those of the props. */
const COGNITO = { userPoolARN: 'userPoolArn', userPoolClientID: 'clientId', userPoolDomain: 'domain' };

function authCode(annotations: AlbAnnotations): Code | undefined {
  const type = annotations.oneOf('auth-type', 'cognito', 'oidc');
  if (type?.kind !== 'value') return undefined;
  const idp = asObject(annotations.json(`auth-idp-${type.value}`));
  const renamed = Object.entries(idp).map(([key, entry]) => [(COGNITO as Record<string, string>)[key] ?? key, entry]);
  const options = object({
    ...Object.fromEntries(renamed.map(([key, entry]) => [key, value(entry as Json)])),
    scope: annotations.text('auth-scope'),
    onUnauthenticatedRequest: annotations.oneOf('auth-on-unauthenticated-request', 'authenticate', 'allow', 'deny'),
    sessionCookie: annotations.text('auth-session-cookie'),
    sessionTimeout: annotations.number('auth-session-timeout'),
  });
  return call(`AlbAuth.${type.value as string}`, options);
}

/** Where the paths of rules lead. */
export interface RuleReading {
  /** Whether a backend leads to the released Service. */
  readonly isReleased: (backend: JsonObject) => boolean;
  /** The type that is left out. */
  readonly defaultPathType: string | undefined;
}

/** The rules of an Ingress. */
export function ruleCodes(rules: readonly Json[], annotations: AlbAnnotations, reading: RuleReading): Code[] {
  return rules.map((rule) => {
    const { host, http } = asObject(rule);
    const paths = asObject(http).paths;
    return object({
      host: maybe(host),
      paths: paths === undefined ? undefined : list(asArray(paths).map((path) => pathCode(path, annotations, reading))),
    });
  });
}

function pathCode(json: Json, annotations: AlbAnnotations, { isReleased, defaultPathType }: RuleReading): Code {
  const { path, pathType, backend } = asObject(json);
  return object({
    path: value(path ?? ''),
    pathType: pathType === defaultPathType ? undefined : maybe(pathType),
    backend: isReleased(asObject(backend)) ? undefined : backendCode(asObject(backend), annotations),
  });
}

/** The Service of a backend, with the name of its port. */
export function serviceOf(backend: JsonObject): { readonly name: string; readonly port: Json | undefined } {
  const { name, port } = asObject(backend.service);
  const { name: portName, number } = asObject(port);
  return { name: textOf(name) ?? '', port: portName ?? number };
}

function backendCode(backend: JsonObject, annotations: AlbAnnotations): Code {
  const { name, port } = serviceOf(backend);
  if (port !== USE_ANNOTATION) return call('AlbBackend.service', object({ name: value(name), port: maybe(port) }));
  const { fixedResponseConfig, redirectConfig } = asObject(annotations.json(`actions.${name}`));
  if (isJsonObject(redirectConfig)) {
    const { host, path, port: target, protocol, query, statusCode } = redirectConfig;
    const options = object({
      host: maybe(host),
      path: maybe(path),
      port: target === undefined ? undefined : value(Number(target)),
      protocol: maybe(protocol),
      query: maybe(query),
      permanent: statusCode === 'HTTP_301' ? value(true) : undefined,
    });
    return call('AlbBackend.redirect', value(name), options);
  }
  const { statusCode, contentType, messageBody } = asObject(fixedResponseConfig);
  const options = {
    statusCode: value(Number(statusCode)),
    contentType: maybe(contentType),
    messageBody: maybe(messageBody),
  };
  return call('AlbBackend.fixedResponse', value(name), object(options));
}

/** The names of backends whose action is in an annotation. */
export function actionNames(rules: readonly Json[]): string[] {
  const backends = rules.flatMap((rule) => asArray(asObject(asObject(rule).http).paths ?? []));
  return backends
    .map((path) => serviceOf(asObject(asObject(path).backend)))
    .filter(({ port }) => port === USE_ANNOTATION)
    .map(({ name }) => name);
}
