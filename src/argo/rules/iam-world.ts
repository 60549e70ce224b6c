/** The AWS roles, policies and associations that ACK and Crossplane objects declare. */
import { irsaProblem, type ReadPolicy, readPolicy, type ServiceAccountName } from '../../aws';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import type { World } from '../../core/world';

/** A policy in a field of an object. */
export interface WrittenPolicy {
  readonly manifest: Manifest;
  readonly path: Path;
  readonly read: ReadPolicy;
}

/** An IAM role. */
export interface IamRole {
  readonly manifest: Manifest;
  /** The name of the role in AWS. */
  readonly name: string;
  readonly trust: WrittenPolicy | undefined;
  /** The known policies of the role. */
  readonly policies: readonly WrittenPolicy[];
  /** Whether the role has unknown policies, for example AWS managed ones. */
  readonly hasUnknownPolicies: boolean;
}

/** An EKS Pod Identity association. */
export interface Association {
  readonly manifest: Manifest;
  readonly path: Path;
  readonly serviceAccount: ServiceAccountName;
  readonly clusterName: string | undefined;
  readonly hasSessionTags: boolean;
  /** The role, if it is among the manifests. */
  readonly role: IamRole | undefined;
}

/** The IAM objects of a World. */
export interface IamWorld {
  readonly roles: readonly IamRole[];
  readonly associations: readonly Association[];
  /** All policies in objects, attached or not. */
  readonly written: readonly WrittenPolicy[];
}

const EXTERNAL_NAME = 'crossplane.io/external-name';
const ACK_SPEC: Path = ['spec'];
const CROSSPLANE_SPEC: Path = ['spec', 'forProvider'];

/** Reads the IAM objects of a World. */
export function iamWorld(world: World): IamWorld {
  const ack = world
    .list('Policy.iam.services.k8s.aws')
    .flatMap((manifest) => written(manifest, ['spec', 'policyDocument']));
  const crossplane = crossplaneList(world, 'iam', 'Policy').flatMap((manifest) =>
    written(manifest, [...CROSSPLANE_SPEC, 'policy']),
  );
  const inline = crossplaneList(world, 'iam', 'RolePolicy').flatMap((manifest) =>
    written(manifest, [...CROSSPLANE_SPEC, 'policy']),
  );
  const roles = [
    ...world.list('Role.iam.services.k8s.aws').map((manifest) => ackRole(manifest, ack, world)),
    ...crossplaneList(world, 'iam', 'Role').map((manifest) =>
      crossplaneRole(manifest, [...crossplane, ...inline], world),
    ),
  ];
  const trusts = roles.flatMap(({ trust }) => trust ?? []);
  return {
    roles,
    associations: [
      ...world.list('PodIdentityAssociation.eks.services.k8s.aws').map((one) => ackAssociation(one, roles)),
      ...crossplaneList(world, 'eks', 'PodIdentityAssociation').map((one) => crossplaneAssociation(one, roles)),
    ],
    written: [...new Set([...ack, ...crossplane, ...inline, ...trusts, ...roles.flatMap(({ policies }) => policies)])],
  };
}

/** Objects of both Crossplane APIs: the cluster-scoped one, and the namespaced one of version 2. */
function crossplaneList(world: World, service: string, kind: string): readonly Manifest[] {
  return [`${service}.aws.upbound.io`, `${service}.aws.m.upbound.io`].flatMap((group) =>
    world.list(`${kind}.${group}`),
  );
}

function written(manifest: Manifest, path: Path): WrittenPolicy[] {
  const text = manifest.get(path);
  return typeof text === 'string' ? [{ manifest, path, read: readPolicy(text) }] : [];
}

function ackRole(manifest: Manifest, policies: readonly WrittenPolicy[], world: World): IamRole {
  const spec = specOf(manifest, ACK_SPEC);
  const attached = asList(spec.policyRefs).map((ref) => {
    const { name, namespace } = asObject(asObject(ref).from);
    const inNamespace = asText(namespace) || world.namespaceOf(manifest);
    return policies.find(
      (policy) => policy.manifest.name === asText(name) && world.namespaceOf(policy.manifest) === inNamespace,
    );
  });
  const inline = Object.keys(asObject(spec.inlinePolicies)).flatMap((name) =>
    written(manifest, [...ACK_SPEC, 'inlinePolicies', name]),
  );
  return {
    manifest,
    name: asText(spec.name) || manifest.name,
    trust: written(manifest, [...ACK_SPEC, 'assumeRolePolicyDocument'])[0],
    policies: [...attached.flatMap((policy) => policy ?? []), ...inline],
    hasUnknownPolicies: asList(spec.policies).length > 0 || attached.includes(undefined),
  };
}

function crossplaneRole(manifest: Manifest, policies: readonly WrittenPolicy[], world: World): IamRole {
  const spec = specOf(manifest, CROSSPLANE_SPEC);
  const name = manifest.annotations[EXTERNAL_NAME] ?? manifest.name;
  const isAboutThis = (one: Manifest) => {
    const { role, roleRef } = specOf(one, CROSSPLANE_SPEC);
    return asText(asObject(roleRef).name) === manifest.name || (role !== undefined && asText(role) === name);
  };
  const attachments = crossplaneList(world, 'iam', 'RolePolicyAttachment');
  const attached = attachments.filter(isAboutThis).map((one) => {
    const ref = asText(asObject(specOf(one, CROSSPLANE_SPEC).policyArnRef).name);
    return policies.find((policy) => policy.manifest.kind === 'Policy' && policy.manifest.name === ref);
  });
  return {
    manifest,
    name,
    trust: written(manifest, [...CROSSPLANE_SPEC, 'assumeRolePolicy'])[0],
    policies: [
      ...attached.flatMap((policy) => policy ?? []),
      ...policies.filter((policy) => policy.manifest.kind === 'RolePolicy' && isAboutThis(policy.manifest)),
    ],
    hasUnknownPolicies:
      attached.includes(undefined) ||
      asList(spec.managedPolicyArns).length > 0 ||
      asList(spec.inlinePolicy).length > 0 ||
      attachments.some((one) => 'roleSelector' in specOf(one, CROSSPLANE_SPEC)),
  };
}

function ackAssociation(manifest: Manifest, roles: readonly IamRole[]): Association {
  const spec = specOf(manifest, ACK_SPEC);
  const ref = asText(asObject(asObject(spec.roleRef).from).name);
  return association(manifest, ACK_SPEC, roles, 'Role.iam.services.k8s.aws', ref, asText(spec.roleARN));
}

function crossplaneAssociation(manifest: Manifest, roles: readonly IamRole[]): Association {
  const spec = specOf(manifest, CROSSPLANE_SPEC);
  const ref = asText(asObject(spec.roleArnRef).name);
  const kind = `Role.${manifest.group.replace(/^eks/, 'iam')}`;
  return association(manifest, CROSSPLANE_SPEC, roles, kind, ref, asText(spec.roleArn));
}

function association(
  manifest: Manifest,
  path: Path,
  roles: readonly IamRole[],
  kind: string,
  ref: string,
  arn: string,
): Association {
  const { namespace, serviceAccount, clusterName, disableSessionTags } = specOf(manifest, path);
  const named = ref === '' ? undefined : ({ manifest: role }: IamRole) => role.groupKind === kind && role.name === ref;
  return {
    manifest,
    path: [...path, 'serviceAccount'],
    serviceAccount: { namespace: asText(namespace), name: asText(serviceAccount) },
    clusterName: asText(clusterName) || undefined,
    hasSessionTags: disableSessionTags !== true,
    role: named === undefined ? roleOfArn(arn, roles) : roles.find(named),
  };
}

/** The role of an ARN, if it is among the manifests. */
export function roleOfArn(arn: string, roles: readonly IamRole[]): IamRole | undefined {
  const name = arn.slice(arn.lastIndexOf('/') + 1);
  return roles.find((role) => role.name === name);
}

function specOf(manifest: Manifest, path: Path): JsonObject {
  return asObject(manifest.get(path));
}

/** Why the pods of a ServiceAccount cannot assume a role with their token. */
export function tokenTrustProblem(
  { trust }: IamRole,
  serviceAccount: ServiceAccountName,
  audience: string | undefined,
): string | undefined {
  return trust === undefined || 'problem' in trust.read
    ? undefined
    : irsaProblem(trust.read.statements, serviceAccount, audience);
}
