const kruise = 'https://github.com/openkruise/rollouts';
const kruiseCode = `${kruise}/blob/9dd6279df`;
const lbcCode = 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/blob/225f44568';

/** The code and documentation behind the rules. */
export const sources = {
  lua: `${kruiseCode}/pkg/util/luamanager/lua.go`,
  luaJson: `${kruiseCode}/pkg/util/luamanager/json.go`,
  gopherLua: 'https://github.com/yuin/gopher-lua#differences-between-lua-and-gopherlua',
  ingress: `${kruiseCode}/pkg/trafficrouting/network/ingress/ingress.go`,
  custom: `${kruiseCode}/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider.go`,
  api: `${kruiseCode}/api/v1beta1/rollout_types.go`,
  customTest: `${kruiseCode}/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider_test.go`,
  aliyunScript: `${kruiseCode}/lua_configuration/trafficrouting_ingress/aliyun-alb.lua`,
  mseScript: `${kruiseCode}/lua_configuration/trafficrouting_ingress/mse.lua`,
  virtualServiceScript: `${kruiseCode}/lua_configuration/networking.istio.io/VirtualService/trafficRouting.lua`,
  aliyunOrder: `${kruise}/issues/128`,
  awsRequest: `${kruise}/issues/129`,
  lbcConfig: `${lbcCode}/pkg/ingress/config_types.go`,
  lbcBackend: `${lbcCode}/pkg/ingress/enhanced_backend_builder.go`,
  lbcRules: `${lbcCode}/pkg/ingress/model_build_listener_rules.go`,
  lbcGroups: `${lbcCode}/pkg/ingress/group_loader.go`,
} as const;
