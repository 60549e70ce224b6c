/** The known defects of the scripts in this folder. */

/** One known defect of a published script. */
export interface KnownDefect {
  /** The defect as a user sees it. */
  readonly defect: string;
  /** The rule that has to report it; undefined if the script itself does not show it. */
  readonly rule?: string;
}

/** A published script that does not work. */
export interface RejectedScript {
  /** A folder in upstream's layout, next to this file. */
  readonly library: string;
  /** The script in that folder. */
  readonly name: string;
  readonly defects: readonly KnownDefect[];
}

export const rejectedScripts: readonly RejectedScript[] = [
  {
    library: 'document-000',
    name: 'ingress.aws-alb',
    defects: [
      {
        defect: 'the canary Ingress keeps the group order of the stable one and sorts after it',
        rule: 'lua-alb-canary-never-wins',
      },
      { defect: 'at weight 0 the action is deleted, and the ALB answers 503', rule: 'lua-alb-idle-action-missing' },
      {
        defect: 'the port 80 is hard-coded, and a Service without it freezes the whole group',
        rule: 'lua-port-hard-coded',
      },
      { defect: 'only the first match is used, other alternatives are lost', rule: 'lua-alternative-ignored' },
      {
        defect: 'a match with only query parameters or a path has no condition: all traffic to the canary',
        rule: 'lua-match-widened',
      },
      { defect: 'paths of a match are left out', rule: 'lua-path-ignored' },
      { defect: 'query parameters of a match are left out', rule: 'lua-query-ignored' },
      { defect: 'a regular expression is sent as a plain value and never matches', rule: 'lua-alb-regex-as-glob' },
      { defect: 'a cookie matches only where it is the whole Cookie header', rule: 'lua-alb-cookie-whole-header' },
      { defect: 'every header with "cookie" in its name is taken for the Cookie header', rule: 'lua-header-renamed' },
      { defect: 'a value is cut at semicolons, and its parts are ORed', rule: 'lua-header-value-split' },
      { defect: 'a weight beside matches splits only the requests that match', rule: 'lua-weight-beside-matches' },
      {
        defect: 'at weight 100 and for matches the stable target group is left out',
        rule: 'lua-alb-target-group-dropped',
      },
      {
        defect: 'conditions and transforms of the stable action do not apply to the canary',
        rule: 'lua-alb-conditions-lost',
      },
      { defect: 'the stickiness of the stable action is lost', rule: 'lua-alb-stickiness-lost' },
      { defect: '* and ? of an exact value act as wildcards', rule: 'lua-alb-wildcard-unescaped' },
      { defect: 'without a canary Service both target groups are the same Service', rule: 'lua-alb-same-service' },
      { defect: 'header modifiers of a step are left out', rule: 'lua-header-modifier-ignored' },
      { defect: 'split, annotations, actionKey and conditionKey are globals', rule: 'lua-global' },
      { defect: 'an error of json.encode silently removes the annotation', rule: 'lua-json-encode-unchecked' },
      {
        defect:
          'a backend with a numeric port never looks at the action: a fault of the stable Ingress, not of the script',
      },
    ],
  },
  {
    library: 'document-003',
    name: 'DestinationRule.networking.istio.io',
    defects: [
      { defect: 'the string "gray is not closed', rule: 'lua-syntax' },
      { defect: 'a built-in script of this kind exists and is found first, so the ConfigMap is never read' },
    ],
  },
  {
    library: 'document-003',
    name: 'VirtualService.networking.istio.io',
    defects: [
      {
        defect: 'ipairs(obj.matches) fails in a step with a weight, where matches is nil',
        rule: 'lua-matches-unguarded',
      },
      { defect: 'spec, hosts and canaryService are globals', rule: 'lua-global' },
    ],
  },
];
