import type { Int64, NamedValue } from './common';

/** A security profile of a process. */
export interface SecurityProfile {
  /** The source of the profile. */
  readonly type: string;
  /** The profile, if it is on the node. */
  readonly localhostProfile?: string;
}

/** SELinux labels. */
export interface SeLinuxOptions {
  /** The level. */
  readonly level?: string;
  /** The role. */
  readonly role?: string;
  /** The type. */
  readonly type?: string;
  /** The user. */
  readonly user?: string;
}

/** Windows settings. */
export interface WindowsOptions {
  /** The full credential spec. */
  readonly gmsaCredentialSpec?: string;
  /** The name of the credential spec. */
  readonly gmsaCredentialSpecName?: string;
  /** Whether it runs as a host process. */
  readonly hostProcess?: boolean;
  /** Name of the user. */
  readonly runAsUserName?: string;
}

/** Capabilities of Linux. */
export interface Capabilities {
  /** Those to add. */
  readonly add?: readonly string[];
  /** Those to drop. */
  readonly drop?: readonly string[];
}

/** The common security settings of pods and containers. */
export interface SecurityCommon {
  /** The AppArmor profile. */
  readonly appArmorProfile?: SecurityProfile;
  /** Id of the group. */
  readonly runAsGroup?: Int64;
  /** Whether the user must not be root. */
  readonly runAsNonRoot?: boolean;
  /** Id of the user. */
  readonly runAsUser?: Int64;
  /** The SELinux labels. */
  readonly seLinuxOptions?: SeLinuxOptions;
  /** The seccomp profile. */
  readonly seccompProfile?: SecurityProfile;
  /** Windows settings. */
  readonly windowsOptions?: WindowsOptions;
}

/** The security settings of a container. */
export interface SecurityContext extends SecurityCommon {
  /** Whether it can get more privileges. */
  readonly allowPrivilegeEscalation?: boolean;
  /** Capabilities of Linux. */
  readonly capabilities?: Capabilities;
  /** Whether it is privileged. */
  readonly privileged?: boolean;
  /** How `/proc` is mounted. */
  readonly procMount?: string;
  /** Whether its root file system is read-only. */
  readonly readOnlyRootFilesystem?: boolean;
}

/** The security settings of all containers of a pod. */
export interface PodSecurityContext extends SecurityCommon {
  /** The id of the group that owns volumes. */
  readonly fsGroup?: Int64;
  /** When to change the group of volumes. */
  readonly fsGroupChangePolicy?: string;
  /** How to apply SELinux labels to volumes. */
  readonly seLinuxChangePolicy?: string;
  /** The ids of supplemental groups. */
  readonly supplementalGroups?: readonly Int64[];
  /** The source of supplemental groups. */
  readonly supplementalGroupsPolicy?: string;
  /** The kernel settings. */
  readonly sysctls?: readonly NamedValue[];
}
