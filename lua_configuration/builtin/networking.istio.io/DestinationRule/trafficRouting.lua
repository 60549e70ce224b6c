-- A model of what OpenKruise Rollouts has built in for DestinationRule.networking.istio.io.
-- It predicts the DestinationRule during a step. The controller prefers its built-in to a ConfigMap, so a script of
-- one's own for this kind would never run.
--
-- Defects of the built-in, kept on purpose:
--   * fails where the DestinationRule has no `subsets`, so the step never settles
--   * the label of the subset is hard-coded: patchPodTemplateMetadata.labels of the Rollout has to set it, or the
--     subset selects no pod
--   * the subset is added whether or not a VirtualService sends anything to it: without a canary Service of its own
--     (disableGenerateCanaryService, or a TrafficRouting) it does, otherwise not
--   * a subset of that name which is there already is not looked at: the name is then there twice

table.insert(obj.data.spec.subsets, { name = "canary", labels = { ["istio.service.tag"] = "gray" } })
return obj.data
