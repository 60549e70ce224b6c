import {
  anything,
  type Fields,
  flag,
  int32,
  int64,
  intOrString,
  keyedList,
  labelSelector,
  labelsAndAnnotations,
  listOf,
  mapOf,
  object,
  quantity,
  setOf,
  text,
  textMap,
  textOrEmpty,
  texts,
} from './builder';

const keyOfObject = object({ 'key!': text, name: textOrEmpty, optional: flag });
const optionalObject = object({ name: textOrEmpty, optional: flag });

const env = keyedList(
  ['name'],
  object({
    'name!': text,
    value: text,
    valueFrom: object({
      configMapKeyRef: keyOfObject,
      fieldRef: object({ apiVersion: text, 'fieldPath!': text }),
      fileKeyRef: object({
        'key!': text,
        optional: { type: 'boolean', default: false },
        'path!': text,
        'volumeName!': text,
      }),
      resourceFieldRef: object({ containerName: text, divisor: quantity, 'resource!': text }),
      secretKeyRef: keyOfObject,
    }),
  }),
);

const envFrom = listOf(object({ configMapRef: optionalObject, prefix: text, secretRef: optionalObject }));

const exec = object({ command: texts });
const httpGet = object({
  host: text,
  httpHeaders: listOf(object({ 'name!': text, 'value!': text })),
  path: text,
  'port!': intOrString,
  scheme: text,
});
const tcpSocket = object({ host: text, 'port!': intOrString });

const lifecycleHandler = object({ exec, httpGet, sleep: object({ 'seconds!': int64 }), tcpSocket });
const lifecycle = object({ postStart: lifecycleHandler, preStop: lifecycleHandler, stopSignal: text });

const probe = object({
  exec,
  failureThreshold: int32,
  grpc: object({ 'port!': int32, service: textOrEmpty }),
  httpGet,
  initialDelaySeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  tcpSocket,
  terminationGracePeriodSeconds: int64,
  timeoutSeconds: int32,
});

const profile = object({ localhostProfile: text, 'type!': text });
const seLinuxOptions = object({ level: text, role: text, type: text, user: text });
const windowsOptions = object({
  gmsaCredentialSpec: text,
  gmsaCredentialSpecName: text,
  hostProcess: flag,
  runAsUserName: text,
});

const resourceClaims = keyedList(['name'], object({ 'name!': text, request: text }));
/** Of containers the amounts are left to the controller, of the pod they are not. */
const resources = object({ claims: resourceClaims, limits: anything, requests: anything });
const podResources = object({ claims: resourceClaims, limits: mapOf(quantity), requests: mapOf(quantity) });

/** What containers of every kind have; all kinds have the same fields, and some of them may not be set. */
const container: Fields = {
  args: texts,
  command: texts,
  env,
  envFrom,
  image: text,
  imagePullPolicy: text,
  lifecycle,
  livenessProbe: probe,
  'name!': text,
  ports: keyedList(
    ['containerPort', 'protocol'],
    object({
      'containerPort!': int32,
      hostIP: text,
      hostPort: int32,
      name: text,
      protocol: { type: 'string', default: 'TCP' },
    }),
  ),
  readinessProbe: probe,
  resizePolicy: listOf(object({ 'resourceName!': text, 'restartPolicy!': text })),
  resources,
  restartPolicy: text,
  restartPolicyRules: listOf(
    object({ 'action!': text, exitCodes: object({ 'operator!': text, values: setOf(int32) }) }),
  ),
  securityContext: object({
    allowPrivilegeEscalation: flag,
    appArmorProfile: profile,
    capabilities: object({ add: texts, drop: texts }),
    privileged: flag,
    procMount: text,
    readOnlyRootFilesystem: flag,
    runAsGroup: int64,
    runAsNonRoot: flag,
    runAsUser: int64,
    seLinuxOptions,
    seccompProfile: profile,
    windowsOptions,
  }),
  startupProbe: probe,
  stdin: flag,
  stdinOnce: flag,
  terminationMessagePath: text,
  terminationMessagePolicy: text,
  tty: flag,
  volumeDevices: keyedList(['devicePath'], object({ 'devicePath!': text, 'name!': text })),
  volumeMounts: keyedList(
    ['mountPath'],
    object({
      'mountPath!': text,
      mountPropagation: text,
      'name!': text,
      readOnly: flag,
      recursiveReadOnly: text,
      subPath: text,
      subPathExpr: text,
    }),
  ),
  workingDir: text,
};

const containers = keyedList(['name'], object(container));

const nodeSelectorRequirements = listOf(object({ 'key!': text, 'operator!': text, values: texts }));
const nodeSelectorTerm = object({ matchExpressions: nodeSelectorRequirements, matchFields: nodeSelectorRequirements });

const podAffinityTerm = object({
  labelSelector,
  matchLabelKeys: texts,
  mismatchLabelKeys: texts,
  namespaceSelector: labelSelector,
  namespaces: texts,
  'topologyKey!': text,
});
const podAffinity = object({
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    object({ 'podAffinityTerm!': podAffinityTerm, 'weight!': int32 }),
  ),
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
});
const affinity = object({
  nodeAffinity: object({
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      object({ 'preference!': nodeSelectorTerm, 'weight!': int32 }),
    ),
    requiredDuringSchedulingIgnoredDuringExecution: object({ 'nodeSelectorTerms!': listOf(nodeSelectorTerm) }),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

const podSpec = object({
  activeDeadlineSeconds: int64,
  affinity,
  automountServiceAccountToken: flag,
  'containers!': containers,
  dnsConfig: object({ nameservers: texts, options: listOf(object({ name: text, value: text })), searches: texts }),
  dnsPolicy: text,
  enableServiceLinks: flag,
  ephemeralContainers: keyedList(['name'], object({ ...container, targetContainerName: text })),
  hostAliases: keyedList(['ip'], object({ hostnames: texts, 'ip!': text })),
  hostIPC: flag,
  hostNetwork: flag,
  hostPID: flag,
  hostUsers: flag,
  hostname: text,
  hostnameOverride: text,
  imagePullSecrets: keyedList(['name'], object({ name: textOrEmpty })),
  initContainers: containers,
  nodeName: text,
  nodeSelector: textMap,
  os: object({ 'name!': text }),
  overhead: mapOf(quantity),
  preemptionPolicy: text,
  priority: int32,
  priorityClassName: text,
  readinessGates: listOf(object({ 'conditionType!': text })),
  resourceClaims: keyedList(
    ['name'],
    object({ 'name!': text, resourceClaimName: text, resourceClaimTemplateName: text }),
  ),
  resources: podResources,
  restartPolicy: text,
  runtimeClassName: text,
  schedulerName: text,
  schedulingGates: keyedList(['name'], object({ 'name!': text })),
  securityContext: object({
    appArmorProfile: profile,
    fsGroup: int64,
    fsGroupChangePolicy: text,
    runAsGroup: int64,
    runAsNonRoot: flag,
    runAsUser: int64,
    seLinuxChangePolicy: text,
    seLinuxOptions,
    seccompProfile: profile,
    supplementalGroups: listOf(int64),
    supplementalGroupsPolicy: text,
    sysctls: listOf(object({ 'name!': text, 'value!': text })),
    windowsOptions,
  }),
  serviceAccount: text,
  serviceAccountName: text,
  setHostnameAsFQDN: flag,
  shareProcessNamespace: flag,
  subdomain: text,
  terminationGracePeriodSeconds: int64,
  tolerations: listOf(object({ effect: text, key: text, operator: text, tolerationSeconds: int64, value: text })),
  topologySpreadConstraints: keyedList(
    ['topologyKey', 'whenUnsatisfiable'],
    object({
      labelSelector,
      matchLabelKeys: texts,
      'maxSkew!': int32,
      minDomains: int32,
      nodeAffinityPolicy: text,
      nodeTaintsPolicy: text,
      'topologyKey!': text,
      'whenUnsatisfiable!': text,
    }),
  ),
  volumes: anything,
});

/** The pod template of a Rollout: what Kubernetes has, with volumes and amounts of resources left to the controller. */
export const podTemplate = object({ metadata: labelsAndAnnotations, spec: podSpec });
