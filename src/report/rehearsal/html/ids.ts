/** The anchors of a report. They are numbers from 1, because names can contain any character. */
export interface RolloutIds {
  readonly rollout: string;
  finding(index: number): string;
  moment(index: number): string;
  request(index: number): string;
}

/** The anchors of the Rollout at this index. */
export function idsOf(index: number): RolloutIds {
  const rollout = `rollout-${index + 1}`;
  const numbered = (what: string) => (at: number) => `${rollout}-${what}-${at + 1}`;
  return { rollout, finding: numbered('finding'), moment: numbered('moment'), request: numbered('request') };
}
