/**
 * Stands in for the AWS Load Balancer Controller, which needs a VPC: a stub that keeps of it what Argo Rollouts verifies.
 * For each Ingress it makes a load balancer with a rule per host, a target group with the controller's tag and a
 * TargetGroupBinding per Service, and it writes the host name into the Ingress status. It writes weights of actions into
 * rules, and pods of EndpointSlices into target groups, after the delays that the Namespace says. It has no
 * IngressGroups, no certificates, no path or header conditions, no readiness gates, and it deletes nothing.
 */
import type { Api, KubernetesObject, WatchEvent } from '../cluster/api';
import { sleep } from '../cluster/processes';
import { behaviourOf, type LoadBalancer } from './behaviour';
import type { Elb, Target, Weighted } from './elb';

const ACTIONS = 'alb.ingress.kubernetes.io/actions.';
const RESOURCE_TAG = 'ingress.k8s.aws/resource';
const SERVICE_OF_SLICE = 'kubernetes.io/service-name';

/** A Service behind a rule. */
interface Forward {
  readonly service: string;
  readonly port: number;
  readonly weight: number;
}

/** A load balancer and what it was given. */
interface Built {
  readonly namespace: string;
  readonly ingress: string;
  /** The rule of each host, and the weights that it has. */
  readonly rules: Map<string, { readonly arn: string; weights: string }>;
  /** The target group of each Service, and its targets as `address:port`. */
  readonly groups: Map<string, { readonly arn: string; readonly targets: Set<string> }>;
}

export async function startLoadBalancerController(api: Api, elb: Elb): Promise<{ stop(): void }> {
  const controller = new LoadBalancerController(api, elb);
  const watches = await Promise.all(
    (
      [
        ['v1', 'Namespace'],
        ['networking.k8s.io/v1', 'Ingress'],
        ['discovery.k8s.io/v1', 'EndpointSlice'],
      ] as const
    ).map(async ([apiVersion, kind]) => {
      const path = await api.collection(apiVersion, kind);
      const { metadata } = await api.get(path);
      return api.watch(path, metadata.resourceVersion, (event) => controller.see(kind, event));
    }),
  );
  return {
    stop() {
      for (const watch of watches) watch.stop();
    },
  };
}

class LoadBalancerController {
  private readonly namespaces = new Map<string, KubernetesObject>();
  private readonly ingresses = new Map<string, KubernetesObject>();
  private readonly slices = new Map<string, KubernetesObject>();
  private readonly built = new Map<string, Built>();
  /** One thing at a time in each namespace. */
  private readonly queues = new Map<string, Promise<void>>();
  private count = 0;

  constructor(
    private readonly api: Api,
    private readonly elb: Elb,
  ) {}

  see(kind: string, { type, object }: WatchEvent): void {
    if (type === 'BOOKMARK') return;
    const { name, namespace = name } = object.metadata;
    const known = { Namespace: this.namespaces, Ingress: this.ingresses }[kind] ?? this.slices;
    if (type === 'DELETED') known.delete(`${namespace}/${name}`);
    else known.set(`${namespace}/${name}`, object);
    const behaviour = this.behaviourIn(namespace);
    if (behaviour === undefined || behaviour.isMissing === true) return;
    const { weightsAfter = 1, targetsAfter = 1 } = behaviour;
    if (kind !== 'EndpointSlice') void this.later(namespace, weightsAfter, () => this.followWeights(namespace));
    if (kind !== 'Ingress') void this.later(namespace, targetsAfter, () => this.followTargets(namespace));
    if (kind === 'Ingress') void this.later(namespace, 0, () => this.buildMissing(namespace));
  }

  private behaviourIn(namespace: string): LoadBalancer | undefined {
    const object = this.namespaces.get(`${namespace}/${namespace}`);
    return object && behaviourOf(object);
  }

  private async later(namespace: string, seconds: number, act: () => Promise<void>): Promise<void> {
    if (seconds > 0) await sleep(seconds * 1000);
    const before = this.queues.get(namespace) ?? Promise.resolve();
    const now = before.then(act).catch((error) => {
      process.stderr.write(`the load balancer of ${namespace}: ${error}\n`);
    });
    this.queues.set(namespace, now);
    await now;
  }

  /** The first build of an Ingress is not late: what labs delay are changes. */
  private async buildMissing(namespace: string): Promise<void> {
    for (const ingress of inNamespace(this.ingresses, namespace)) {
      const { name } = ingress.metadata;
      if (this.built.has(`${namespace}/${name}`) || ingress.spec.ingressClassName !== 'alb') continue;
      const rules = rulesOf(ingress);
      // As the real controller, which builds nothing while an action is missing.
      if (rules === undefined) continue;
      const built = await this.build(namespace, name, rules);
      this.built.set(`${namespace}/${name}`, built);
      await this.syncTargets(built);
    }
  }

  private async build(
    namespace: string,
    ingress: string,
    rules: ReadonlyMap<string, readonly Forward[]>,
  ): Promise<Built> {
    this.count += 1;
    const loadBalancer = await this.elb.createLoadBalancer(`stage-${this.count}`);
    const listener = await this.elb.createListener(loadBalancer.arn);
    const built: Built = { namespace, ingress, rules: new Map(), groups: new Map() };
    for (const [host, forwards] of rules) {
      const weighted = await this.groupsOf(built, forwards);
      const arn = await this.elb.createRule(listener, built.rules.size + 1, host, weighted);
      built.rules.set(host, { arn, weights: JSON.stringify(weighted) });
    }
    const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses/${ingress}/status`;
    await this.api.patch(path, { status: { loadBalancer: { ingress: [{ hostname: loadBalancer.hostName }] } } });
    return built;
  }

  /** The target groups of a rule; a Service that is new behind the Ingress gets one. */
  private async groupsOf(built: Built, forwards: readonly Forward[]): Promise<Weighted[]> {
    const weighted: Weighted[] = [];
    for (const { service, port, weight } of forwards) {
      if (!built.groups.has(service)) built.groups.set(service, await this.createGroup(built, service, port));
      weighted.push({ group: built.groups.get(service)!.arn, weight });
    }
    return weighted;
  }

  private async createGroup({ namespace, ingress }: Built, service: string, port: number) {
    this.count += 1;
    const arn = await this.elb.createTargetGroup(`k8s-${this.count}`, {
      [RESOURCE_TAG]: `${namespace}/${ingress}-${service}:${port}`,
    });
    await this.api.apply({
      apiVersion: 'elbv2.k8s.aws/v1beta1',
      kind: 'TargetGroupBinding',
      metadata: { name: `k8s-${ingress}-${service}`, namespace },
      spec: { targetGroupARN: arn, targetType: 'ip', serviceRef: { name: service, port } },
    });
    return { arn, targets: new Set<string>() };
  }

  private async followWeights(namespace: string): Promise<void> {
    if (this.behaviourIn(namespace)?.state === 'keeps-weights') return;
    for (const built of inNamespace(this.built, namespace)) {
      const rules = rulesOf(this.ingresses.get(`${namespace}/${built.ingress}`));
      for (const [host, forwards] of rules ?? []) {
        const rule = built.rules.get(host);
        const weighted = await this.groupsOf(built, forwards);
        const weights = JSON.stringify(weighted);
        if (rule === undefined || rule.weights === weights) continue;
        await this.elb.modifyRule(rule.arn, weighted);
        rule.weights = weights;
      }
    }
  }

  private async followTargets(namespace: string): Promise<void> {
    if (this.behaviourIn(namespace)?.state === 'keeps-targets') return;
    for (const built of inNamespace(this.built, namespace)) await this.syncTargets(built);
  }

  private async syncTargets({ namespace, groups }: Built): Promise<void> {
    const slices = inNamespace(this.slices, namespace);
    for (const [service, { arn, targets }] of groups) {
      const own = slices.filter(({ metadata }) => metadata.labels?.[SERVICE_OF_SLICE] === service);
      const wanted = new Map(own.flatMap(targetsOf).map((target) => [textOf(target), target]));
      await this.elb.register(
        arn,
        [...wanted].flatMap(([text, target]) => (targets.has(text) ? [] : [target])),
      );
      const gone = [...targets].filter((text) => !wanted.has(text));
      await this.elb.deregister(arn, gone.map(targetFrom));
      for (const text of gone) targets.delete(text);
      for (const text of wanted.keys()) targets.add(text);
    }
  }
}

function inNamespace<Value>(all: ReadonlyMap<string, Value>, namespace: string): Value[] {
  return [...all].flatMap(([key, value]) => (key.startsWith(`${namespace}/`) ? [value] : []));
}

/** The Services of each host; undefined while an action is missing. */
function rulesOf(ingress: KubernetesObject | undefined): Map<string, Forward[]> | undefined {
  const rules = new Map<string, Forward[]>();
  for (const { host, http } of ingress?.spec.rules ?? []) {
    const { service } = http.paths[0].backend;
    if (service.port.name !== 'use-annotation') {
      rules.set(host, [{ service: service.name, port: service.port.number, weight: 1 }]);
      continue;
    }
    const action = ingress?.metadata.annotations?.[`${ACTIONS}${service.name}`];
    if (action === undefined) return undefined;
    rules.set(host, JSON.parse(action).ForwardConfig.TargetGroups.map(forwardOf));
  }
  return rules;
}

function forwardOf({ ServiceName, ServicePort, Weight }: KubernetesObject): Forward {
  return { service: ServiceName, port: Number(ServicePort), weight: Weight ?? 1 };
}

/** Ready pods of an EndpointSlice. */
function targetsOf({ endpoints, ports }: KubernetesObject): Target[] {
  const port = ports?.[0]?.port;
  return (endpoints ?? []).flatMap(({ addresses, conditions }: KubernetesObject) =>
    conditions?.ready === true && port !== undefined ? [{ address: addresses[0], port }] : [],
  );
}

function textOf({ address, port }: Target): string {
  return `${address}:${port}`;
}

function targetFrom(text: string): Target {
  const [address = '', port] = text.split(':');
  return { address, port: Number(port) };
}
