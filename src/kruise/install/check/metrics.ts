import type { Finding } from '../../../core/finding';
import { asList, asObject, isJsonObject, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { type Controller, flagOf, selects } from './controllers';
import { installRules } from './rules';

/** Reports clients for metrics that the controller does not serve outside its pod. */
export function checkMetrics(controller: Controller, world: World): Finding[] {
  const { metrics, manifest } = controller;
  if (metrics !== undefined && !isLoopback(metrics.host)) return [];
  const flag = flagOf(controller.flags, 'metrics-bind-address');
  const readers = [...services(controller, world), ...podMonitors(controller, world), ...annotated(controller)];
  const where = metrics === undefined ? 'serves no metrics' : `serves metrics at ${metrics.host}:${metrics.port} only`;
  return readers.map(({ reader, path }) => {
    const source = manifest.sourceOf(flag?.path ?? controller.containerPath);
    return reader.finding(installRules['kruise-metrics-unreachable'], {
      message: `${reader.kind} "${reader.name}" is for metrics, but ${manifest.name} ${where}`,
      path,
      related: {
        message: 'the metrics address is set here',
        object: manifest.ref,
        ...(source === undefined ? {} : { source }),
      },
    });
  });
}

interface Reader {
  readonly reader: Manifest;
  readonly path: readonly (string | number)[];
}

function isLoopback(host: string): boolean {
  return /^127\.|^localhost$|^\[::1\]$/.test(host);
}

/** Services for the metrics port, by number or by name. */
function services({ namespace, podLabels, container, metrics }: Controller, world: World): Reader[] {
  const named = asList(container.ports)
    .map(asObject)
    .filter(({ containerPort }) => metrics !== undefined && containerPort === metrics.port)
    .map(({ name }) => name);
  return world
    .list('Service', namespace)
    .filter((service) => selects(service.get('spec.selector'), podLabels))
    .flatMap((service) =>
      asList(service.get('spec.ports')).flatMap((entry, index) => {
        const { name, port, targetPort = port } = asObject(entry);
        const isMetrics = /^(http-?)?metrics$/.test(textOf(name) ?? '');
        const isForMetrics =
          isMetrics || (metrics !== undefined && targetPort === metrics.port) || named.includes(targetPort ?? null);
        return isForMetrics ? [{ reader: service, path: ['spec', 'ports', index] }] : [];
      }),
    );
}

/** PodMonitors that select the pods. A ServiceMonitor needs a Service, which is already checked. */
function podMonitors({ namespace, podLabels }: Controller, world: World): Reader[] {
  return world
    .list('PodMonitor.monitoring.coreos.com')
    .filter(
      (monitor) => reaches(monitor, namespace, world) && selects(monitor.get('spec.selector.matchLabels'), podLabels),
    )
    .map((monitor) => ({ reader: monitor, path: ['spec', 'selector'] }));
}

function reaches(monitor: Manifest, namespace: string, world: World): boolean {
  const selector = monitor.get('spec.namespaceSelector');
  if (!isJsonObject(selector)) return world.namespaceOf(monitor) === namespace;
  return selector.any === true || asList(selector.matchNames).includes(namespace);
}

function annotated({ manifest, podAnnotations }: Controller): Reader[] {
  if (podAnnotations['prometheus.io/scrape'] !== 'true') return [];
  return [{ reader: manifest, path: ['spec', 'template', 'metadata', 'annotations', 'prometheus.io/scrape'] }];
}
