import { defineRules } from './rule';

const DECODER =
  'https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/util/yaml/decoder.go';
const YAML_TO_JSON = 'https://github.com/kubernetes-sigs/yaml/blob/master/yaml.go';
const YAML_RESOLVE = 'https://github.com/kubernetes-sigs/yaml/blob/master/goyaml.v2/resolve.go';
const YAML_DECODE = 'https://github.com/go-yaml/yaml/blob/v2/decode.go';
const OBJECTS = 'https://kubernetes.io/docs/concepts/overview/working-with-objects/';
const LIMIT = 'https://github.com/kubernetes/kubernetes/issues/83253';

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n';

const yaml = (text: string) => ({ language: 'yaml', text }) as const;
const typescript = (text: string) => ({ language: 'typescript', text }) as const;

/** Rules for files, before their objects are checked. */
export const readerRules = defineRules({
  'file-unreadable': {
    severity: 'error',
    title: 'a file or folder cannot be read',
    because: 'nothing in it was checked',
    fix: 'check the name and the permissions',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/reference/kubectl/generated/kubectl_apply/'],
    failing: typescript("readManifests(['deploy/does-not-exist.yaml'])"),
    corrected: typescript("readManifests(['deploy/rollout.yaml'])"),
  },
  'file-not-utf8': {
    severity: 'error',
    title: 'a file is not UTF-8 text',
    because: 'Kubernetes reads UTF-8 only',
    fix: 'save the file as UTF-8',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/concepts/configuration/configmap/', DECODER],
    failing: typescript("writeFileSync('web.yaml', Buffer.from('# caf\\u00e9', 'latin1'))"),
    corrected: typescript("writeFileSync('web.yaml', '# caf\\u00e9', 'utf8')"),
  },
  'too-much-input': {
    severity: 'error',
    title: 'there is more input than the limits allow',
    because: 'what lies beyond the limit was not checked',
    fix: 'give fewer or smaller files, or raise the limit',
    basis: 'documented',
    sources: [LIMIT],
    failing: yaml(`${settings}---\n${settings.replace('web', 'shop')}# and so on, more documents than the limit`),
    corrected: yaml(settings),
  },
  'yaml-too-deep': {
    severity: 'error',
    title: 'values are nested deeper than the limit',
    because: 'no Kubernetes object is nested that deeply; such a file exhausts the memory of the program that reads it',
    fix: 'remove the nesting, or raise the limit',
    basis: 'documented',
    sources: [LIMIT],
    failing: yaml(`${settings}data: [[[[[[[[[[deep]]]]]]]]]]\n`),
    corrected: yaml(`${settings}data: {color: blue}\n`),
  },
  'yaml-excessive-aliasing': {
    severity: 'error',
    title: 'aliases (`*name`) expand to more values than the limit',
    because: 'kubectl refuses such a document: a few lines of aliases of aliases expand to gigabytes',
    fix: 'write the values out, or raise the limit',
    basis: 'documented',
    sources: [LIMIT, YAML_DECODE],
    failing: yaml(`${settings}data:\n  a: &a [x, x]\n  b: &b [*a, *a]\n  c: &c [*b, *b]\n  d: [*c, *c]\n`),
    corrected: yaml(`${settings}data: {a: x x}\n`),
  },
  'yaml-invalid': {
    severity: 'error',
    title: 'a document is not YAML',
    because: 'kubectl refuses the whole file',
    fix: 'correct the line',
    basis: 'documented',
    sources: ['https://yaml.org/spec/1.2.2/', DECODER],
    failing: yaml(`${settings}data:\n\tcolor: blue\n`),
    corrected: yaml(`${settings}data:\n  color: blue\n`),
  },
  'yaml-not-json': {
    severity: 'error',
    title: 'a value has no JSON form',
    because: 'kubectl converts YAML to JSON before it sends it, and refuses what JSON cannot hold',
    fix: 'use a string in quotes, or a number that JSON can hold',
    basis: 'read',
    sources: [YAML_TO_JSON, YAML_RESOLVE],
    failing: yaml(`${settings}data:\n  limit: .nan\n`),
    corrected: yaml(`${settings}data:\n  limit: ".nan"\n`),
  },
  'yaml-duplicate-key': {
    severity: 'error',
    title: 'a map has the same key twice',
    because: 'only the last value counts; kubectl silently drops the others',
    fix: 'remove one of the two, or merge them',
    basis: 'read',
    sources: [YAML_TO_JSON],
    failing: yaml(`${settings}  annotations: {a: b}\n  annotations: {c: d}\n`),
    corrected: yaml(`${settings}  annotations: {a: b, c: d}\n`),
  },
  'number-loses-precision': {
    severity: 'warning',
    title: 'an integer is too large to be kept exactly',
    because: 'JavaScript and the Lua scripts of a controller hold integers exactly only up to 2^53',
    fix: 'put it in quotes if it is an identifier and not a quantity',
    basis: 'documented',
    sources: [YAML_TO_JSON, 'https://www.lua.org/manual/5.1/manual.html#2.2'],
    failing: yaml(`${settings}data:\n  account: 9007199254740993\n`),
    corrected: yaml(`${settings}data:\n  account: "9007199254740993"\n`),
  },
  'helm-template': {
    severity: 'error',
    title: 'a file is a Helm template, not YAML',
    because: 'nothing in it was checked: only its rendered text is Kubernetes YAML',
    fix: 'render it first: helm template <chart> | rollout-constructs check -',
    basis: 'documented',
    sources: ['https://helm.sh/docs/helm/helm_template/'],
    failing: yaml('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n'),
    corrected: yaml(settings),
  },
  'not-kubernetes': {
    severity: 'error',
    title: 'a document is not a Kubernetes object',
    because: 'kubectl refuses a document without apiVersion and kind',
    fix: 'add apiVersion and kind, or leave the file out',
    basis: 'documented',
    sources: [OBJECTS],
    failing: yaml('apiVersion: v1\nmetadata:\n  name: web\n'),
    corrected: yaml(settings),
  },
  'object-without-name': {
    severity: 'error',
    title: 'an object has no name',
    because: 'kubectl apply refuses an object without metadata.name',
    fix: 'add metadata.name',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/concepts/overview/working-with-objects/names/'],
    failing: yaml('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: {app: web}\n'),
    corrected: yaml(`${settings}  labels: {app: web}\n`),
  },
  'metadata-not-a-string': {
    severity: 'error',
    title: 'a name, label or annotation is not a string',
    because:
      'the API server refuses the object: these fields hold strings only, and YAML reads on, yes or 10 as something else',
    fix: 'put the value in quotes',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/', YAML_RESOLVE],
    failing: yaml(`${settings}  annotations:\n    example.com/weight: 10\n`),
    corrected: yaml(`${settings}  annotations:\n    example.com/weight: "10"\n`),
  },
  'files-skipped': {
    severity: 'note',
    title: 'files in a folder hold no Kubernetes object',
    because: 'they were skipped',
    fix: 'nothing, unless you expected them to be checked',
    basis: 'documented',
    sources: [OBJECTS],
    failing: yaml('replicas: 3 # values.yaml, in a folder of manifests\n'),
    corrected: yaml(settings),
  },
  'no-manifests': {
    severity: 'warning',
    title: 'there is nothing to check',
    because: 'a check without manifests finds nothing',
    fix: 'name a file or folder that holds Kubernetes manifests in .yaml, .yml or .json files',
    basis: 'documented',
    sources: [OBJECTS],
    failing: yaml('# only a comment\n'),
    corrected: yaml(settings),
  },
});

/** Rules for all manifests together. */
export const worldRules = defineRules({
  'budget-spent': {
    severity: 'error',
    title: 'the time or the memory of the run is spent',
    because: 'a run ends within its budget whatever it is given, and what it did not look at may be wrong',
    fix: 'give it more (--budget 10m,4GB), fewer files, or look for what takes so long',
    basis: 'documented',
    sources: ['docs/security.md'],
    failing: typescript("checkStack(world, { budget: budgetOf('1s') })"),
    corrected: typescript("checkStack(world, { budget: budgetOf('10m') })"),
  },
  'manifest-duplicate': {
    severity: 'warning',
    title: 'an object is declared twice',
    because:
      'the later declaration overwrites the earlier one, and the order of files decides which one is later; of the earlier one, ' +
      'only what the API server refuses is reported',
    fix:
      'remove one of the two; for kustomize bases and overlays, check the output of kustomize build; for several clusters in ' +
      'one cdk8s App, make a StackCheck in the construct of each',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/concepts/overview/working-with-objects/names/'],
    failing: yaml(`${settings}---\n${settings}`),
    corrected: yaml(`${settings}---\n${settings.replace('web', 'web-canary')}`),
  },
});

const suppressed = (value: string) => yaml(`${settings}  annotations:\n    rollout-constructs.io/ignore: '${value}'\n`);

/** Rules for suppressions. Their findings cannot be suppressed. */
export const suppressionRules = defineRules({
  'suppression-invalid': {
    severity: 'warning',
    title: 'a suppression does not have the form `<rule>: <reason>`',
    because: 'it suppresses nothing: readers have to know why the finding does not matter',
    fix: 'write "<rule>: <reason>"',
    basis: 'documented',
    sources: ['docs/findings.md'],
    failing: suppressed('manifest-duplicate'),
    corrected: yaml(settings),
  },
  'suppression-unknown-rule': {
    severity: 'warning',
    title: 'a suppression names a rule that does not exist',
    because: 'it suppresses nothing',
    fix: 'correct the name, or remove the suppression',
    basis: 'documented',
    sources: ['docs/findings.md'],
    failing: suppressed('manifest-duplicat: both are the same'),
    corrected: yaml(settings),
  },
  'suppression-untrusted': {
    severity: 'note',
    title: 'a suppression does not count, because the owner did not state it',
    because: 'whatever is checked may not decide what is reported: `--trust owner` and `--no-suppressions` say so',
    fix: 'correct the finding, or have the suppression reviewed and merged first',
    basis: 'documented',
    sources: ['docs/security.md'],
    failing: suppressed('manifest-duplicate: both are the same'),
    corrected: yaml(settings),
  },
  'suppression-unused': {
    severity: 'warning',
    title: 'a suppression matches no finding',
    because: 'the problem is gone or has moved; left in place, it would hide the next one',
    fix: 'remove the suppression',
    basis: 'documented',
    sources: ['docs/findings.md'],
    failing: suppressed('manifest-duplicate: both are the same'),
    corrected: yaml(settings),
  },
});

/** All rules of this folder. */
export const coreRules = { ...readerRules, ...worldRules, ...suppressionRules };
