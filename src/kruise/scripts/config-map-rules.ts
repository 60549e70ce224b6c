import { defineRules } from '../../core/rule';

const LOOKUP_INGRESS =
  'https://github.com/openkruise/rollouts/blob/master/pkg/trafficrouting/network/ingress/ingress.go';
const LOOKUP_CUSTOM =
  'https://github.com/openkruise/rollouts/blob/master/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider.go';
const CONFIG_MAPS = 'https://kubernetes.io/docs/concepts/configuration/configmap/';

/** Rules on the ConfigMap as a whole, and on what each script of it does with its testdata. */
export const configMapRules = defineRules({
  'lua-script-shadowed': {
    severity: 'error',
    title: 'the controller has a script of its own for this kind and never reads the one in the ConfigMap',
    because:
      'for objects of customNetworkRefs the controller looks for a built-in script first and reads the ConfigMap only ' +
      'where there is none, so this entry has no effect and nothing says so',
    fix: 'remove the script; to change how the kind is routed, build a controller image with another built-in script',
    basis: 'run',
    sources: [LOOKUP_CUSTOM, 'https://github.com/openkruise/rollouts/issues/322'],
    failing: {
      language: 'yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  lua.traffic.routing.VirtualService.networking.istio.io: |
    return obj.data
`,
    },
    corrected: {
      language: 'yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  lua.traffic.routing.HTTPProxy.projectcontour.io: |
    return obj.data
`,
    },
  },

  'lua-script-key-invalid': {
    severity: 'error',
    title: 'the class or kind of a script makes a key that no Ingress class or kind leads to',
    because:
      'the controller builds the key from ingress.classType, or from kind and apiVersion of a customNetworkRef, and ' +
      'the API server accepts only letters, digits, "-", "_" and "." in a key',
    fix: 'name an ingress script by the classType, a custom one by "<Kind>.<group>" as in "HTTPProxy.projectcontour.io"',
    basis: 'read',
    sources: [LOOKUP_INGRESS, LOOKUP_CUSTOM, CONFIG_MAPS],
    failing: {
      language: 'yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  lua.traffic.routing.HTTPProxy: |
    return obj.data
`,
    },
    corrected: {
      language: 'yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  lua.traffic.routing.HTTPProxy.projectcontour.io: |
    return obj.data
`,
    },
  },

  'lua-script-duplicate': {
    severity: 'error',
    title: 'two scripts have the same key',
    because: 'a ConfigMap holds one value per key, so one of the two would be lost',
    fix: 'keep one of the scripts',
    basis: 'documented',
    sources: [CONFIG_MAPS],
    failing: {
      language: 'typescript',
      text: `scripts: [LuaScripts.fromLibrary('aws-alb'), LuaScripts.inline('ingress.aws-alb', source)]`,
    },
    corrected: { language: 'typescript', text: `scripts: [LuaScripts.fromLibrary('aws-alb')]` },
  },

  'lua-script-empty': {
    severity: 'error',
    title: 'the script is empty',
    because:
      'the controller takes an empty ingress entry for a missing one, and runs an empty custom script, which returns ' +
      'nothing and stops every rollout with "expect table output from Lua script, not nil"',
    fix: 'write the script, or leave the entry out',
    basis: 'run',
    sources: [LOOKUP_INGRESS, LOOKUP_CUSTOM],
    failing: {
      language: 'yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  lua.traffic.routing.ingress.aws-alb: ""
`,
    },
    corrected: {
      language: 'yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  lua.traffic.routing.ingress.aws-alb: |
    return obj.annotations
`,
    },
  },

  'lua-config-map-too-large': {
    severity: 'error',
    title: 'the scripts together are too large for one ConfigMap',
    because: 'the API server refuses a ConfigMap with more than 1 MiB (1048576 bytes) of data',
    fix: 'leave out scripts that no Rollout uses, or shorten them: there is only one ConfigMap that the controller reads',
    basis: 'documented',
    sources: [CONFIG_MAPS],
    failing: {
      language: 'typescript',
      text: `scripts: [LuaScripts.inline('ingress.big', '-- '.padEnd(1_100_000, 'x'))]`,
    },
    corrected: { language: 'typescript', text: `scripts: [LuaScripts.fromLibrary('aws-alb')]` },
  },

  'lua-testdata-failed': {
    severity: 'error',
    title: 'the script does not do what its testdata expects',
    because: 'run as the controller runs it, the script gives another result than the one written down for this step',
    fix: 'mend the script; if the new result is the right one, write it down with "rollout-constructs test --update"',
    basis: 'run',
    sources: [LOOKUP_CUSTOM],
    failing: {
      language: 'yaml',
      text: `# lua_configuration/trafficrouting_ingress/testdata/aws-alb/weight.yaml
expected:
  - metadata:
      annotations:
        alb.ingress.kubernetes.io/group.order: "10"   # the script writes "9"
`,
    },
    corrected: {
      language: 'yaml',
      text: `# lua_configuration/trafficrouting_ingress/testdata/aws-alb/weight.yaml
expected:
  - metadata:
      annotations:
        alb.ingress.kubernetes.io/group.order: "9"
`,
    },
  },
});
