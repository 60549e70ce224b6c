import type { Finding, ObjectRef } from './finding';
import { groupKindOf, Manifest } from './manifest';
import { worldRules } from './rules';

/** How a World is put together. */
export interface WorldOptions {
  /**
   * The namespace of the objects that name none.
   * @default 'default'
   */
  readonly defaultNamespace?: string;
}

/** Kinds without a namespace, of Kubernetes and of the systems this library knows. */
const CLUSTER_SCOPED = new Set([
  'APIService.apiregistration.k8s.io',
  'CertificateSigningRequest.certificates.k8s.io',
  'ClusterAnalysisTemplate.argoproj.io',
  'ClusterIssuer.cert-manager.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'CSIDriver.storage.k8s.io',
  'CSINode.storage.k8s.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'FlowSchema.flowcontrol.apiserver.k8s.io',
  'GatewayClass.gateway.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'IngressClassParams.elbv2.k8s.aws',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass.scheduling.k8s.io',
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
  'RuntimeClass.node.k8s.io',
  'StorageClass.storage.k8s.io',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'VolumeAttachment.storage.k8s.io',
]);

/** An object's group, kind, namespace and name; an object that the API server will name itself is its own key. */
type Key = string | Manifest;

/**
 * All manifests of a stack. It is never changed: `with` and `without` give a new World. Kinds are asked for as kubectl
 * writes them: `Service`, `Ingress.networking.k8s.io`. The order of lists depends on names alone, not on files.
 * @example World.of(manifests).find('Ingress.networking.k8s.io', 'web', 'shop')
 */
export class World {
  /** Puts manifests together. Of an object that is declared twice the later one counts, as with `kubectl apply`. */
  static of(manifests: Iterable<Manifest>, options: WorldOptions = {}): World {
    const defaultNamespace = options.defaultNamespace ?? 'default';
    const byKey = new Map<Key, Manifest>();
    const findings: Finding[] = [];
    for (const manifest of manifests) {
      const key = keyOf(manifest, defaultNamespace);
      const earlier = byKey.get(key);
      if (earlier !== undefined) findings.push(duplicateOf(earlier, manifest));
      byKey.set(key, manifest);
    }
    return new World(defaultNamespace, byKey, findings);
  }

  private sortedLists: ReadonlyMap<string, readonly Manifest[]> | undefined;

  private constructor(
    /** The namespace of the objects that name none. */
    readonly defaultNamespace: string,
    private readonly byKey: ReadonlyMap<Key, Manifest>,
    /** What is wrong with the stack as a whole: objects that are declared twice. */
    readonly findings: readonly Finding[],
  ) {}

  /** All manifests, by kind, namespace and name. */
  get manifests(): readonly Manifest[] {
    return this.listed(EVERYTHING);
  }

  /** The object of this kind and name; in the default namespace unless another is named. */
  find(groupKind: string, name: string, namespace: string = this.defaultNamespace): Manifest | undefined {
    return this.byKey.get(textKey(groupKind, isClusterScoped(groupKind) ? '' : namespace, name));
  }

  /** The object that a reference names; one without `apiVersion` means the first object of that kind in any group. */
  get(ref: ObjectRef): Manifest | undefined {
    if (ref.apiVersion !== undefined) return this.find(groupKindOf(ref.kind, ref.apiVersion), ref.name, ref.namespace);
    const here = this.inNamespace(ref.namespace ?? this.defaultNamespace);
    return [...here, ...this.inNamespace('')].find(({ kind, name }) => kind === ref.kind && name === ref.name);
  }

  /** All objects of a kind, in one namespace or in all. */
  list(groupKind: string, namespace?: string): readonly Manifest[] {
    return this.listed(namespace === undefined ? kindList(groupKind) : kindList(groupKind, namespace));
  }

  /** All objects of a namespace; of the empty one those that have none. */
  inNamespace(namespace: string): readonly Manifest[] {
    return this.listed(namespaceList(namespace));
  }

  /** The namespace that an object will be in; empty for a kind that has none. */
  namespaceOf(manifest: Manifest): string {
    return namespaceOf(manifest, this.defaultNamespace);
  }

  /** A World in which these objects are added, or replaced where they exist. */
  with(...manifests: readonly Manifest[]): World {
    const byKey = new Map(this.byKey);
    for (const manifest of manifests) byKey.set(keyOf(manifest, this.defaultNamespace), manifest);
    return new World(this.defaultNamespace, byKey, this.findings);
  }

  /** A World without these objects. */
  without(...objects: readonly (Manifest | ObjectRef)[]): World {
    const byKey = new Map(this.byKey);
    for (const object of objects) {
      const manifest = object instanceof Manifest ? object : this.get(object);
      if (manifest !== undefined) byKey.delete(keyOf(manifest, this.defaultNamespace));
    }
    return new World(this.defaultNamespace, byKey, this.findings);
  }

  private listed(name: string): readonly Manifest[] {
    // Made at the first question, as a rehearsal makes many Worlds and asks most of them for single objects only.
    this.sortedLists ??= this.sortIntoLists();
    return this.sortedLists.get(name) ?? [];
  }

  private sortIntoLists(): ReadonlyMap<string, readonly Manifest[]> {
    const lists = new Map<string, Manifest[]>();
    const manifests = [...this.byKey.values()].map((manifest) => ({ manifest, key: this.sortKeyOf(manifest) }));
    manifests.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
    for (const { manifest } of manifests) {
      const namespace = this.namespaceOf(manifest);
      const { groupKind } = manifest;
      for (const name of [EVERYTHING, kindList(groupKind), kindList(groupKind, namespace), namespaceList(namespace)]) {
        const list = lists.get(name);
        if (list === undefined) lists.set(name, [manifest]);
        else list.push(manifest);
      }
    }
    return lists;
  }

  private sortKeyOf(manifest: Manifest): string {
    return textKey(manifest.groupKind, this.namespaceOf(manifest), manifest.name);
  }
}

const EVERYTHING = '';

function kindList(groupKind: string, namespace?: string): string {
  return namespace === undefined ? `kind\n${groupKind}` : `kind\n${groupKind}\n${namespace}`;
}

function namespaceList(namespace: string): string {
  return `namespace\n${namespace}`;
}

function duplicateOf(earlier: Manifest, later: Manifest): Finding {
  const source = earlier.sourceOf();
  return later.finding(worldRules['manifest-duplicate'], {
    message: `${later.kind} "${later.name}" is declared twice`,
    related: {
      message: `${earlier.kind} "${earlier.name}" is declared here first`,
      object: earlier.ref,
      ...(source === undefined ? {} : { source }),
    },
  });
}

function isClusterScoped(groupKind: string): boolean {
  return CLUSTER_SCOPED.has(groupKind);
}

function namespaceOf(manifest: Manifest, defaultNamespace: string): string {
  return isClusterScoped(manifest.groupKind) ? '' : (manifest.namespace ?? defaultNamespace);
}

function keyOf(manifest: Manifest, defaultNamespace: string): Key {
  if (manifest.name === '') return manifest;
  return textKey(manifest.groupKind, namespaceOf(manifest, defaultNamespace), manifest.name);
}

// A line feed sorts before every character of a name, so that `a-b` comes after `a` whatever follows.
function textKey(groupKind: string, namespace: string, name: string): string {
  return `${groupKind}\n${namespace}\n${name}`;
}
