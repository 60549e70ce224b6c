-- A model of the built-in script of OpenKruise Rollouts for DestinationRule.networking.istio.io.
-- It predicts the DestinationRule during a step. The controller prefers its built-in to a ConfigMap, so a script of
-- your own for this kind would never run.
--
-- Defects of the built-in, kept on purpose:
--   * fails if the DestinationRule has no `subsets`, so the step never settles
--   * the label of the subset is hard-coded: patchPodTemplateMetadata.labels of the Rollout must set it, or the
--     subset selects no pod
--   * the subset is added even if no VirtualService uses it: only without a canary Service
--     (disableGenerateCanaryService, or a TrafficRouting) does one use it
--   * an existing subset with that name is not checked: the name then occurs twice

table.insert(obj.data.spec.subsets, { name = "canary", labels = { ["istio.service.tag"] = "gray" } })
return obj.data
