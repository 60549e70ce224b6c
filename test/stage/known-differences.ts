/** Differences between a rehearsal and a recording that are known. Each line says why; a line that no recording needs fails. */
import type { Comparison } from './compare';

export interface KnownDifference {
  /** `kruise@0.6.2`. */
  readonly releases: RegExp;
  readonly labs: RegExp;
  /** @default - everything that is compared */
  readonly about?: Comparison['about'];
  readonly reason: string;
}

/** Delays that a controller was seen to cut short. A line that no recording needs fails. */
export const SHORT_DELAYS: readonly Omit<KnownDifference, 'about'>[] = [
  {
    releases: /^kruise@0\.[45]\./,
    labs: /^((alpha-)?(canary|partition)-(disabled-[a-z-]+|edit-(count|fewer-(pods-rollback|steps)|later|more-(pods|steps)|pause)|paused-before)|alpha-advanced-statefulset-rollback-1|canary-(aws-alb-route-gone|no-route-after|other-route-after|release-id-label|rollout-id|undone-soon-(again|third))|partition-((aws-alb-rollback|gateway-api-delete)-2|scale-from-0|(nginx-service-replaced|workload-[a-z]+)-back)|(advanced-statefulset|cloneset|partition)-all-new-third|(advanced-)?(cloneset|statefulset)-partition-again-back|(cloneset|partition|statefulset)-broken-third-(back|delete|fourth)|(advanced-statefulset|cloneset|statefulset)-(third-scaled(-down)?|undo-scaled-(up|down)))$/,
    reason: 'the delay begins in the status; where that write conflicts with another, it is lost, and nothing waits',
  },
];

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    releases: /^kruise@0\.4\.0$/,
    labs: /^example-kruise-traffic-routing-/,
    about: 'writes',
    reason:
      'the API server refuses the Rollout of v1beta1 and the lab ends, while the TrafficRouting of it works by itself',
  },
  {
    releases: /^kruise@0\.6\.0$/,
    labs: /^partition-(all-new-(rollback|third)|scale-from-0)$/,
    about: 'where it stands',
    reason:
      'the controller takes each change of the workload for the one before, and waits for another one after the last (batchrelease_event_handler.go)',
  },
  {
    releases: /^kruise@/,
    labs: /^advanced-statefulset-undo-scaled-down$/,
    reason:
      'once the write that brings the old version back has left no other pod, nothing is rolled back, but released again',
  },
  {
    releases: /^argo@/,
    labs: /^workload-ref-alive-never$/,
    reason: 'the pods of the Deployment that workloadRef names are none of the release; a check reports them',
  },
  {
    releases: /^kruise@/,
    labs: /^(partition|blueGreen)-in-progressing(-later)?$/,
    about: 'where it stands',
    reason:
      'a mark of the controller in the manifest begins a release before anybody changes the pods; a check refuses it, and nothing is rehearsed',
  },
  {
    releases: /^kruise@0\.5\.0$/,
    labs: /^cloneset-undo-scaled-to-1$/,
    about: 'Services without a pod',
    reason: 'the only pod goes before the one of the old version is ready; here that is ready at once',
  },
  {
    releases: /^kruise@/,
    labs: /-undone-soon-(again|third)$/,
    reason:
      'a version that arrives while a roll-back goes on gets to everybody at once or to nobody, by when the controller finds it; here its release begins after the roll-back',
  },
  {
    releases: /^kruise@/,
    labs: /^cloneset-(fourth|third-then-second)$/,
    about: 'pods at each pause',
    reason:
      'a CloneSet gives the pods of a release to the next version until the controller holds them back: how many depends on how fast they are ready',
  },
  {
    releases: /^argo@1\.10/,
    labs: /^alb-dynamic-full$/,
    about: 'writes',
    reason:
      'where all steps are skipped with dynamicStableScale, the weight follows the new pods as the cluster starts them',
  },
  {
    releases: /^argo@/,
    labs: /^alb-aborted-full-dynamic$/,
    about: 'writes',
    reason: 'as above, after an abort',
  },
  {
    releases: /^argo@1\.7/,
    labs: /^nginx-aborted-full$/,
    about: 'Services without a pod',
    reason: 'the new pods may go before the canary Service is back at the old ones',
  },
  {
    releases: /^argo@1\.8/,
    labs: /^istio-subsets-dynamic-broken-later-abort$/,
    about: 'writes',
    reason: '1.8 moves the canary subset one reconcile after the weight, which is 0 then; here both are one moment',
  },
  {
    releases: /^argo@1\.7/,
    labs: /^services-undo-scaled-up$/,
    about: 'Services without a pod',
    reason: 'the pod of the new version may go before the canary Service selects the old one',
  },
  {
    releases: /^argo@/,
    labs: /^services-third-(2|scaled)$/,
    about: 'Services without a pod',
    reason:
      'the pods of the version that gave way may go before those of the third one are ready; here they are ready at once',
  },
  {
    releases: /^argo@1\.(8|10)/,
    labs: /-third-scaled$/,
    about: 'writes',
    reason: 'the weight becomes 0 once all stable pods are there, unless new pods are ready before them',
  },
  {
    releases: /^argo@/,
    labs: /^alb-(abort-delay-0(-scaled)?|aborted-(soon-(delete|scale)|undo-scaled-delay-0)|paused-abort)$/,
    reason:
      'the canary Service may go to the new pods and back as long as these end, or while somebody resumes the Rollout',
  },
  {
    releases: /^argo@/,
    labs: /^(alb|istio|nginx)-aborted-soon-/,
    about: 'pods at each pause',
    reason:
      'while the pods of an aborted release still run, it is chance which ones the canary Service selects when people act',
  },
  {
    releases: /^argo@1\.(7|9)/,
    labs: /^bg-aborted-soon-delete$/,
    about: 'pods at the end',
    reason: 'the garbage collector of the cluster finds the pods of a deleted Rollout when it gets to them',
  },
  {
    releases: /^argo@/,
    labs: /^istio-experiment-weight-two$/,
    about: 'writes',
    reason: 'the controller writes the destinations of an experiment in any order',
  },
  {
    releases: /^argo@/,
    labs: /^alb-analysis-background$/,
    about: 'writes',
    reason: 'an analysis in the background may fail before or after the weight of the next step is written',
  },
  {
    releases: /^argo@/,
    labs: /^alb-analysis-background-inconclusive$/,
    about: 'pods at each pause',
    reason: 'the status already counts the step after the skipped pause, whose weight is not written yet',
  },
];
