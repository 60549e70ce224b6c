import { formatPath } from '../../../../src/core';
import { awsAlbRules, checkAwsAlb } from '../../../../src/routers/aws-alb/checks';
import type { AwsAlbCheckOptions } from '../../../../src/routers/aws-alb/checks/context';
import { PREFIX, SERVICES, worldOf } from '../stack';

/** All that the checks find in these Ingresses: rule, object, place, message, and what differs from the texts of the rule. */
export function findingsIn(objects: readonly object[], options: AwsAlbCheckOptions = {}): string[] {
  return checkAwsAlb(worldOf([...SERVICES, ...objects]), options).map((finding) => {
    const { rule, object, path, message, fix, because, related, absent = [] } = finding;
    const texts = awsAlbRules[rule as keyof typeof awsAlbRules];
    const place = path === undefined ? 'as a whole' : typeof path === 'string' ? path : formatPath(path);
    const more = [
      ...(fix === texts.fix || fix === undefined ? [] : [`fix: ${fix}`]),
      ...(because === texts.because || because === undefined ? [] : [`because: ${because}`]),
      ...(related === undefined ? [] : [`related: ${related.message} (${related.object?.name})`]),
      ...absent.map(({ kind, namespace, name }) => `absent: ${kind} ${namespace}/${name}`),
    ];
    return [`${rule} at ${object?.name} ${place}: ${message}`, ...more].join(' | ').replaceAll(PREFIX, '…');
  });
}
