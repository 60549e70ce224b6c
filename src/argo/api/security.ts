import type { Int64, NamedValue } from './common';

/** A profile of what a process may do. */
export interface SecurityProfile {
  /** Where the profile is from. */
  readonly type: string;
  /** The profile, where it is on the node. */
  readonly localhostProfile?: string;
}

/** Labels of SELinux. */
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

/** What counts on Windows. */
export interface WindowsOptions {
  /** The credentials, in full. */
  readonly gmsaCredentialSpec?: string;
  /** Name of the credentials. */
  readonly gmsaCredentialSpecName?: string;
  /** Whether it runs as a process of the host. */
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

/** What pods and containers may say of their rights. */
export interface SecurityCommon {
  /** Profile of AppArmor. */
  readonly appArmorProfile?: SecurityProfile;
  /** Id of the group. */
  readonly runAsGroup?: Int64;
  /** Whether root is refused. */
  readonly runAsNonRoot?: boolean;
  /** Id of the user. */
  readonly runAsUser?: Int64;
  /** Labels of SELinux. */
  readonly seLinuxOptions?: SeLinuxOptions;
  /** Profile of seccomp. */
  readonly seccompProfile?: SecurityProfile;
  /** What counts on Windows. */
  readonly windowsOptions?: WindowsOptions;
}

/** What a container may do. */
export interface SecurityContext extends SecurityCommon {
  /** Whether it can get more rights. */
  readonly allowPrivilegeEscalation?: boolean;
  /** Capabilities of Linux. */
  readonly capabilities?: Capabilities;
  /** Whether it has the rights of its node. */
  readonly privileged?: boolean;
  /** How `/proc` is mounted. */
  readonly procMount?: string;
  /** Whether its files cannot be changed. */
  readonly readOnlyRootFilesystem?: boolean;
}

/** What all containers of a pod may do. */
export interface PodSecurityContext extends SecurityCommon {
  /** Id of the group of volumes. */
  readonly fsGroup?: Int64;
  /** When the group of volumes is set. */
  readonly fsGroupChangePolicy?: string;
  /** How labels of SELinux reach volumes. */
  readonly seLinuxChangePolicy?: string;
  /** Ids of further groups. */
  readonly supplementalGroups?: readonly Int64[];
  /** Where further groups come from. */
  readonly supplementalGroupsPolicy?: string;
  /** Settings of the kernel. */
  readonly sysctls?: readonly NamedValue[];
}
