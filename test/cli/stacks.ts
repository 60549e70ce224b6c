import { stringify } from 'yaml';
import { applications, platform } from '../../bench/rollouts';

const documents = (objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n');

/** Applications behind several load balancers, with mistakes of every kind in some of them. */
export function filesOfApplications(count: number): Record<string, string> {
  const files = applications(count, { perLoadBalancer: 4 }).map(({ name, objects }, index): [string, string] => {
    const text = documents(objects);
    // A step that the webhook refuses, an order that the load balancer refuses, a Service that is not there.
    const mistakes = [
      text,
      text.replace('traffic: 5%', 'traffic: 500%').replace('traffic: 10%', 'traffic: 500%'),
      text.replace('group.order: "10"', 'group.order: "2000"'),
      text.replace(`service: ${name}\n`, 'service: gone\n'),
      text.replace(
        'kind: Rollout\nmetadata:',
        `kind: Rollout\nmetadata:\n  annotations: {rollout-constructs.io/ignore: "${ACCEPTED[index % 2]}"}`,
      ),
    ];
    return [`deploy/${name}.yaml`, mistakes[index % mistakes.length]!];
  });
  return { 'deploy/platform.yaml': documents(platform()), ...Object.fromEntries(files) };
}

/** One that fits, one that does not. */
const ACCEPTED = ['rehearsal-canaries-collide: known', 'rehearsal-controller-stuck: known'];
