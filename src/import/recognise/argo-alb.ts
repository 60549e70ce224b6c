/** Rollouts of Argo Rollouts on AWS load balancers, with their Services and Ingresses. */

import { admissionFindings } from '../../argo/admission';
import { findingTexts } from '../../core/finding';
import {
  asList,
  asObject,
  compact,
  type Json,
  type JsonObject,
  numberOf,
  sameJson,
  textOf,
  textsOf,
} from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { World } from '../../core/world';
import { ALB_PREFIX, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { CLASS_ANNOTATION } from '../../routers/ingress/class';
import { type Code, call, isEmpty, list, maybe, object, value } from '../code';
import { classOf } from './alb-ingress';
import { AlbAnnotations, loadBalancerCodes, ruleCodes, serviceOf } from './alb-settings';
import { argoStepCode } from './argo-steps';
import { type Context, metadataOf, type Recognised, statementFor } from './context';

/** A Rollout whose traffic an ALB splits, or a blue-green one with an Ingress on an ALB. */
export function recogniseArgoAlbRollout(manifest: Manifest, context: Context): Recognised | undefined {
  if (manifest.groupKind !== 'Rollout.argoproj.io') return undefined;
  const { canary, blueGreen } = asObject(manifest.get('spec.strategy'));
  const alb = asObject(asObject(asObject(canary).trafficRouting).alb);
  const strategy = asObject(canary ?? blueGreen);
  const isAlb =
    Object.keys(alb).length > 0 || ingressesTo(textOf(strategy.activeService), manifest, context).some(isOnAlb);
  if (!isAlb) return undefined;
  const refused = admissionFindings(World.of([manifest])).find(({ rule }) => rule.startsWith('field-'));
  if (refused !== undefined) return { refusal: `the API does not have it like this: ${findingTexts(refused).message}` };
  return new ArgoReading(manifest, context, strategy, alb, blueGreen !== undefined).recognised();
}

function ingressesTo(service: string | undefined, rollout: Manifest, { world }: Context): readonly Manifest[] {
  if (service === undefined) return [];
  const all = world.list('Ingress.networking.k8s.io', world.namespaceOf(rollout));
  return all.filter((ingress) =>
    asList(ingress.get('spec.rules')).some((rule) =>
      asList(asObject(asObject(rule).http).paths).some(
        (path) => serviceOf(asObject(asObject(path).backend)).name === service,
      ),
    ),
  );
}

function isOnAlb({ annotations }: Manifest): boolean {
  return Object.keys(annotations).some((key) => key.startsWith(`${ALB_PREFIX}/`));
}

/** The Services of a strategy: the prop, the field that names it, and the end of its default name. */
const ROLES = {
  canary: [
    ['stableService', 'stableService', 'stable'],
    ['canaryService', 'canaryService', 'canary'],
  ],
  pingPong: [
    ['pingService', 'pingService', 'ping'],
    ['pongService', 'pongService', 'pong'],
  ],
  blueGreen: [
    ['activeService', 'activeService', 'active'],
    ['previewService', 'previewService', 'preview'],
  ],
} as const;

/** Fields of a strategy and their props; the others have the same name in both. */
const RENAMED: Readonly<Record<string, string>> = {
  scaleDownDelaySeconds: 'scaleDownDelay',
  abortScaleDownDelaySeconds: 'abortScaleDownDelay',
  autoPromotionEnabled: 'autoPromotion',
  autoPromotionSeconds: 'autoPromotionDelay',
};

/** Fields of a strategy that other props say. */
const ELSEWHERE = [
  'steps',
  'trafficRouting',
  'pingPong',
  ...Object.values(ROLES).flatMap((all) => all.map(([, one]) => one)),
];

/** The Ingresses of a Rollout, and the props that write them. */
interface ReadIngresses {
  readonly codes: readonly Code[];
  readonly preview: Code | undefined;
  readonly manifests: readonly Manifest[];
}

class ArgoReading {
  private readonly writes: Manifest[] = [];
  private readonly spec: JsonObject;
  private readonly labels: JsonObject;
  private readonly port: number | undefined;
  private readonly targetPort: Json | undefined;
  private readonly kind: keyof typeof ROLES;

  constructor(
    private readonly rollout: Manifest,
    private readonly context: Context,
    private readonly strategy: JsonObject,
    private readonly alb: JsonObject,
    isBlueGreen: boolean,
  ) {
    this.spec = asObject(rollout.object.spec);
    this.labels = asObject(asObject(this.spec.selector).matchLabels);
    this.kind = isBlueGreen ? 'blueGreen' : strategy.pingPong === undefined ? 'canary' : 'pingPong';
    const [first] = this.services().flatMap(({ name }) => this.serviceNamed(name) ?? []);
    const [port] = asList(first?.get('spec.ports')).map(asObject);
    this.port = numberOf(alb.servicePort) ?? numberOf(port?.port);
    this.targetPort = port?.targetPort;
  }

  recognised(): Recognised {
    const ingresses = this.ingresses();
    if ('refusal' in ingresses) return ingresses;
    const { template, workloadRef, replicas, minReadySeconds, progressDeadlineSeconds } = this.spec;
    const { progressDeadlineAbort, revisionHistoryLimit, rollbackWindow, paused } = this.spec;
    const strategy = this.strategyCode(ingresses.preview);
    const [only, ...more] = ingresses.codes;
    const props = object({
      metadata: metadataOf(this.rollout),
      replicas: maybe(replicas),
      template: maybe(template),
      workloadRef: maybe(workloadRef),
      selector: sameJson(asObject(template).metadata && asObject(asObject(template).metadata).labels, this.labels)
        ? undefined
        : value(this.labels),
      port: this.port === 80 ? undefined : maybe(this.port),
      targetPort: this.targetPort === this.containerPort() ? undefined : maybe(this.targetPort),
      strategy,
      ingress: more.length > 0 || only === undefined || isEmpty(only) ? undefined : only,
      ingresses: more.length > 0 ? list(ingresses.codes) : undefined,
      minReady: maybe(minReadySeconds),
      progressDeadline: maybe(progressDeadlineSeconds),
      progressDeadlineAbort: maybe(progressDeadlineAbort),
      revisionHistoryLimit: maybe(revisionHistoryLimit),
      rollbackWindow: maybe(asObject(rollbackWindow).revisions),
      paused: maybe(paused),
      external: this.external(),
    });
    const statement = statementFor(this.rollout, 'ArgoAlbRollout', props);
    return [{ ...statement, writes: [this.rollout, ...this.writes, ...ingresses.manifests] }];
  }

  /** What a component of Pulumi cannot see: Services of the program that it names only. cdk8s sees the whole app. */
  private external(): Code | undefined {
    const named = this.services().flatMap(({ name }) => this.serviceNamed(name) ?? []);
    const existing = named.filter((service) => !this.writes.includes(service));
    if (this.context.target === 'cdk8s' || existing.length === 0) return undefined;
    return value(existing.map(({ ref }) => ({ ...ref })));
  }

  /** The port of the pods unless there is a prop. */
  private containerPort(): Json | undefined {
    const containers = asList(asObject(asObject(this.spec.template).spec).containers);
    const ports = containers.flatMap((container) => asList(asObject(container).ports));
    return ports.map((port) => asObject(port).containerPort).find((port) => port !== undefined) ?? this.port;
  }

  private services() {
    const named = this.kind === 'pingPong' ? asObject(this.strategy.pingPong) : this.strategy;
    return ROLES[this.kind].map(([prop, field, suffix]) => ({ prop, suffix, name: textOf(named[field]) ?? '' }));
  }

  private serviceNamed(name: string): Manifest | undefined {
    const { world } = this.context;
    return world.find('Service', name, world.namespaceOf(this.rollout));
  }

  private strategyCode(previewIngress: Code | undefined): Code {
    const { stickinessConfig, rootService, annotationPrefix } = this.alb;
    const services = this.services().map(({ prop, suffix, name }) => [prop, this.serviceCode(name, suffix)] as const);
    const others = Object.entries(this.strategy)
      .filter(([field]) => !ELSEWHERE.includes(field))
      .map(([field, given]) => [Object.hasOwn(RENAMED, field) ? RENAMED[field]! : field, value(given)] as const);
    const options = object({
      ...Object.fromEntries(services),
      rootService: this.rootCode(textOf(rootService)),
      previewIngress,
      steps: this.kind === 'blueGreen' ? undefined : list(asList(this.strategy.steps).map(argoStepCode)),
      stickiness: maybe(asObject(stickinessConfig).durationSeconds),
      annotationPrefix: maybe(annotationPrefix),
      ...Object.fromEntries(others),
    });
    const isPlain = this.kind === 'blueGreen' && isEmpty(options);
    return call(`ArgoAlbStrategy.${this.kind}`, ...(isPlain ? [] : [options]));
  }

  /** The construct writes a Service that equals its own; it refers to any other Service as an existing one. */
  private serviceCode(name: string, suffix: string): Code | undefined {
    const service = this.serviceNamed(name);
    if (service === undefined || !this.isOwn(service)) return call('ArgoAlbService.existing', value(name));
    this.writes.push(service);
    const { labels, annotations } = asObject(service.object.metadata);
    const marks = object({ labels: maybe(labels), annotations: maybe(annotations) });
    if (name === `${this.rollout.name}-${suffix}` && isEmpty(marks)) return undefined;
    return call('ArgoAlbService.named', value(name), ...(isEmpty(marks) ? [] : [marks]));
  }

  private rootCode(name: string | undefined): Code | undefined {
    if (name === undefined) return undefined;
    const service = this.serviceNamed(name);
    const isNamed = this.services().some((one) => one.name === name);
    if (service !== undefined && !isNamed) return this.serviceCode(name, '');
    return this.kind === 'pingPong' && name === `${this.rollout.name}-root` ? undefined : value(name);
  }

  private isOwn(service: Manifest): boolean {
    const { type: _, ...spec } = asObject(service.object.spec);
    const { port, targetPort } = this;
    if (port === undefined || targetPort === undefined) return false;
    return sameJson(spec, { selector: this.labels, ports: [{ name: 'http', port, targetPort }] });
  }

  /** The Ingresses that Argo edits, or that of the active Service. All of them have to be in the input. */
  private ingresses(): { readonly refusal: string } | ReadIngresses {
    const { world } = this.context;
    const namespace = world.namespaceOf(this.rollout);
    const find = (name: string) => world.find('Ingress.networking.k8s.io', name, namespace);
    const services = this.services();
    const own = (index: number) => ingressesTo(services[index]?.name, this.rollout, this.context).filter(isOnAlb);
    const names = this.alb.ingress === undefined ? textsOf(this.alb.ingresses) : [String(this.alb.ingress)];
    const edited = this.kind === 'blueGreen' ? own(0) : names.map(find);
    const missing = names.find((name) => find(name) === undefined);
    if (missing !== undefined) return { refusal: `the Ingress "${missing}" is not in the input` };
    const manifests = edited as Manifest[];
    const [preview] = this.kind === 'blueGreen' ? own(1).filter((one) => !manifests.includes(one)) : [];
    const nameAt = (index: number) => (index === 0 ? this.rollout.name : `${this.rollout.name}-${index + 1}`);
    const backend = this.backendName();
    return {
      codes: manifests.map((one, index) => this.ingressCode(one, nameAt(index), backend)),
      preview: preview && this.ingressCode(preview, `${this.rollout.name}-preview`, services[1]!.name),
      manifests: [...manifests, ...(preview === undefined ? [] : [preview])],
    };
  }

  private backendName(): string {
    const [first, second] = this.services();
    return textOf(this.alb.rootService) ?? (this.kind === 'pingPong' ? second! : first!).name;
  }

  private ingressCode(ingress: Manifest, defaultName: string, released: string): Code {
    const annotations = new AlbAnnotations(ingress.annotations);
    const rules = asList(ingress.get('spec.rules'));
    const isReleased = (backend: JsonObject) => {
      const { name, port } = serviceOf(backend);
      return name === released && (port === USE_ANNOTATION || port === this.port);
    };
    const codes = ruleCodes(rules, annotations, { isReleased, defaultPathType: undefined });
    const written = codes.map((code, index) => (isEverything(rules[index]!) ? withoutPaths(code) : code));
    const group = object({ name: annotations.text('group.name'), order: annotations.number('group.order') });
    const settings = {
      rules: written.length === 1 && isEmpty(written[0]!) ? undefined : list(written),
      ingressClass: this.classCode(ingress, annotations),
      group: isEmpty(group) ? undefined : group,
      scheme: annotations.oneOf('scheme', 'internal', 'internet-facing'),
      targetType: targetTypeCode(annotations),
      ...loadBalancerCodes(annotations),
    };
    return object({ metadata: ingressMetadata(ingress, defaultName, annotations.read), ...settings });
  }

  private classCode(ingress: Manifest, annotations: AlbAnnotations): Code | undefined {
    const named = annotations.takeKey(CLASS_ANNOTATION);
    if (named !== undefined) return call('ArgoAlbClass.annotation', value(named));
    if (ingress.get('spec.ingressClassName') === undefined) return call('ArgoAlbClass.none');
    const { code } = classOf(ingress, this.context);
    return code && call('ArgoAlbClass.field', code);
  }
}

function isEverything(rule: Json): boolean {
  const [path, ...others] = asList(asObject(asObject(rule).http).paths);
  const { backend: _, ...written } = asObject(path);
  return others.length === 0 && sameJson(written, { path: '/*', pathType: 'ImplementationSpecific' });
}

function withoutPaths(code: Code): Code {
  if (code.kind !== 'object') return code;
  return { kind: 'object', entries: code.entries.filter(([key]) => key !== 'paths') };
}

function targetTypeCode(annotations: AlbAnnotations): Code | undefined {
  const code = annotations.oneOf('target-type', 'ip', 'instance');
  return code?.kind === 'value' && code.value === 'ip' ? undefined : code;
}

/** Without the namespace, which is that of the Rollout. */
function ingressMetadata(ingress: Manifest, defaultName: string, read: ReadonlySet<string>): Code | undefined {
  const { name, namespace: _, annotations, ...others } = asObject(ingress.object.metadata);
  const rest = Object.entries(asObject(annotations)).filter(([key]) => !read.has(key));
  const metadata = compact({
    name: name === defaultName ? undefined : name,
    ...others,
    annotations: rest.length === 0 ? undefined : Object.fromEntries(rest),
  });
  return Object.keys(metadata).length === 0 ? undefined : value(metadata as JsonObject);
}
