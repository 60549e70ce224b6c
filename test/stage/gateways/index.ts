/** The gateways that the stage can ask. */
import { contour } from './contour';
import { envoyGateway } from './envoy-gateway';
import type { GatewayOnStage } from './gateway';
import { istio, istioWith } from './istio';
import { nginx } from './nginx';
import { traefik, traefikOf } from './traefik';

const traefikBefore = traefikOf('3.6.12');
const istioBefore = istioWith('1.38.3', '1.30.0');

/** By the name that recorded answers have: one program may take routes of several APIs, and an older release may do it in another way. */
export const GATEWAYS: Readonly<Record<string, GatewayOnStage>> = {
  contour,
  'envoy-gw': envoyGateway,
  istio,
  'istio-gw': istio,
  'istio@envoy-1.38.3': istioBefore,
  'istio-gw@envoy-1.38.3': istioBefore,
  nginx,
  traefik,
  'traefik-gw': traefik,
  'traefik-ing': traefik,
  'traefik-ing@3.6.12': traefikBefore,
  'traefik@3.6.12': traefikBefore,
};

/** The gateway of a name. Throws an error that lists the names, where there is none. */
export function gatewayNamed(name: string): GatewayOnStage {
  const gateway = GATEWAYS[name];
  if (gateway !== undefined) return gateway;
  throw new Error(`there is no gateway "${name}"; there are ${Object.keys(GATEWAYS).join(', ')}`);
}
