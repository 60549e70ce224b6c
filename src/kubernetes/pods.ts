import type { Affinity, TopologySpreadConstraint } from './api';
import type { ControllerSettings } from './controller-settings';

/** Labels by which a Deployment, a Service or a budget selects its pods. */
export type Labels = Readonly<Record<string, string>>;

/** The `restricted` pod security standard. It sets no user: images have one, and OpenShift assigns its own. */
export const RESTRICTED_POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };

/** The `restricted` pod security standard. */
export const RESTRICTED_CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** The fields of a pod's spec before its containers: identity and scheduling. */
export function podSettings(settings: ControllerSettings, serviceAccountName: string, selector: Labels) {
  return {
    serviceAccountName,
    imagePullSecrets: pullSecrets(settings),
    securityContext: RESTRICTED_POD,
    nodeSelector: settings.nodeSelector,
    tolerations: settings.tolerations,
    affinity: settings.affinity ?? apart(selector),
    topologySpreadConstraints: settings.topologySpreadConstraints ?? [acrossZones(selector)],
    priorityClassName: settings.priorityClassName,
  };
}

/** The image pull Secrets as a pod's spec lists them. */
export function pullSecrets({ imagePullSecrets }: ControllerSettings): { readonly name: string }[] {
  return imagePullSecrets.map((name) => ({ name }));
}

function apart(matchLabels: Labels): Affinity {
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 100,
          podAffinityTerm: { labelSelector: { matchLabels }, topologyKey: 'kubernetes.io/hostname' },
        },
      ],
    },
  };
}

function acrossZones(matchLabels: Labels): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels },
  };
}
