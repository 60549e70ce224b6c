import { yaml } from '../../core/example';
import { defineRules } from '../../core/rule';
import { AWS_SCRIPT, PROXY_SCRIPT, scriptConfigMap } from './example-scripts';

const LOOKUP_INGRESS =
  'https://github.com/openkruise/rollouts/blob/master/pkg/trafficrouting/network/ingress/ingress.go';
const LOOKUP_CUSTOM =
  'https://github.com/openkruise/rollouts/blob/master/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider.go';
const CONFIG_MAPS = 'https://kubernetes.io/docs/concepts/configuration/configmap/';

const configMap = (name: string) => yaml(scriptConfigMap(name, PROXY_SCRIPT));

/** Rules for the ConfigMap as a whole, and for the result of each script with its testdata. */
export const configMapRules = defineRules({
  'lua-script-shadowed': {
    severity: 'error',
    title: 'the controller uses its built-in script for this kind and ignores the one in the ConfigMap',
    because:
      'for objects in customNetworkRefs the controller looks for a built-in script first and reads the ConfigMap only ' +
      'if there is none, so this entry has no effect and the controller reports nothing',
    fix: 'remove the script; to change how the kind is routed, build a controller image with another built-in script',
    basis: 'run',
    sources: [LOOKUP_CUSTOM, 'https://github.com/openkruise/rollouts/issues/322'],
    failing: configMap('VirtualService.networking.istio.io'),
    corrected: configMap('HTTPProxy.projectcontour.io'),
  },

  'lua-script-key-invalid': {
    severity: 'error',
    title: 'the script has a key that the controller never looks up',
    because:
      'the controller builds the key from ingress.classType, or from kind and apiVersion of a customNetworkRef, and ' +
      'the API server accepts only letters, digits, "-", "_" and "." in a key',
    fix: 'name an ingress script after the classType, and a custom script "<Kind>.<group>", for example "HTTPProxy.projectcontour.io"',
    basis: 'read',
    sources: [LOOKUP_INGRESS, LOOKUP_CUSTOM, CONFIG_MAPS],
    failing: configMap('HTTPProxy'),
    corrected: configMap('HTTPProxy.projectcontour.io'),
  },

  'lua-script-duplicate': {
    severity: 'error',
    title: 'two scripts have the same key',
    because: 'a ConfigMap holds one value per key, so one of the two scripts would be lost',
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
      'the controller treats an empty ingress entry as missing. It runs an empty custom script, which returns ' +
      'nothing and stops every rollout with "expect table output from Lua script, not nil"',
    fix: 'write the script, or remove the entry',
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
    corrected: yaml(scriptConfigMap('ingress.aws-alb', AWS_SCRIPT)),
  },

  'lua-config-map-too-large': {
    severity: 'error',
    title: 'the scripts together are too large for one ConfigMap',
    because: 'the API server refuses a ConfigMap with more than 1 MiB (1048576 bytes) of data',
    fix: 'remove scripts that no Rollout uses, or shorten them: the controller reads only one ConfigMap',
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
    title: 'the result of the script differs from its testdata',
    because:
      'run as the controller runs it, the script returns a different result than the testdata expects for this step',
    fix: 'fix the script; if the new result is correct, save it with "rollout-constructs test --update"',
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
