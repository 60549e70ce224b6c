/** The few actions of Elastic Load Balancing that a load balancer controller calls. */
import { ENDPOINT, REGION } from './moto';

/** A target group and its weight in a rule. */
export interface Weighted {
  readonly group: string;
  readonly weight: number;
}

/** A pod in a target group. */
export interface Target {
  readonly address: string;
  readonly port: number;
}

interface Network {
  readonly vpc: string;
  readonly subnets: readonly string[];
}

export class Elb {
  private constructor(private readonly network: Network) {}

  /** Load balancers get the default network of the account. */
  static async inDefaultNetwork(): Promise<Elb> {
    const subnets = await call('ec2', '2016-11-15', 'DescribeSubnets', {});
    return new Elb({ vpc: textsOf(subnets, 'vpcId')[0]!, subnets: textsOf(subnets, 'subnetId').slice(0, 2) });
  }

  async createLoadBalancer(name: string): Promise<{ readonly arn: string; readonly hostName: string }> {
    const made = await elb('CreateLoadBalancer', { Name: name, ...list('Subnets', this.network.subnets) });
    return { arn: textOf(made, 'LoadBalancerArn'), hostName: textOf(made, 'DNSName') };
  }

  /** A listener that answers with 404 where no rule matches. */
  async createListener(loadBalancer: string): Promise<string> {
    const made = await elb('CreateListener', {
      LoadBalancerArn: loadBalancer,
      Protocol: 'HTTP',
      Port: '80',
      'DefaultActions.member.1.Type': 'fixed-response',
      'DefaultActions.member.1.FixedResponseConfig.StatusCode': '404',
    });
    return textOf(made, 'ListenerArn');
  }

  async createTargetGroup(name: string, tags: Readonly<Record<string, string>>): Promise<string> {
    const made = await elb('CreateTargetGroup', {
      Name: name,
      Protocol: 'HTTP',
      Port: '80',
      TargetType: 'ip',
      VpcId: this.network.vpc,
      ...Object.assign(
        {},
        ...Object.entries(tags).map(([key, value], index) => ({
          [`Tags.member.${index + 1}.Key`]: key,
          [`Tags.member.${index + 1}.Value`]: value,
        })),
      ),
    });
    return textOf(made, 'TargetGroupArn');
  }

  async createRule(listener: string, priority: number, host: string, forward: readonly Weighted[]): Promise<string> {
    const made = await elb('CreateRule', {
      ListenerArn: listener,
      Priority: String(priority),
      'Conditions.member.1.Field': 'host-header',
      'Conditions.member.1.Values.member.1': host,
      ...forwardTo(forward),
    });
    return textOf(made, 'RuleArn');
  }

  async modifyRule(rule: string, forward: readonly Weighted[]): Promise<void> {
    await elb('ModifyRule', { RuleArn: rule, ...forwardTo(forward) });
  }

  async register(group: string, targets: readonly Target[]): Promise<void> {
    if (targets.length > 0) await elb('RegisterTargets', { TargetGroupArn: group, ...membersOf(targets) });
  }

  async deregister(group: string, targets: readonly Target[]): Promise<void> {
    if (targets.length > 0) await elb('DeregisterTargets', { TargetGroupArn: group, ...membersOf(targets) });
  }
}

function forwardTo(forward: readonly Weighted[]): Record<string, string> {
  const parameters: Record<string, string> = { 'Actions.member.1.Type': 'forward' };
  for (const [index, { group, weight }] of forward.entries()) {
    const at = `Actions.member.1.ForwardConfig.TargetGroups.member.${index + 1}`;
    parameters[`${at}.TargetGroupArn`] = group;
    parameters[`${at}.Weight`] = String(weight);
  }
  return parameters;
}

function membersOf(targets: readonly Target[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, { address, port }] of targets.entries()) {
    parameters[`Targets.member.${index + 1}.Id`] = address;
    parameters[`Targets.member.${index + 1}.Port`] = String(port);
  }
  return parameters;
}

function list(name: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => [`${name}.member.${index + 1}`, value]));
}

function elb(action: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  return call('elasticloadbalancing', '2015-12-01', action, parameters);
}

/** Calls an action of the query API. The stand-in reads region and service from the header and checks no signature. */
async function call(
  service: string,
  Version: string,
  Action: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const scope = `stage/20260101/${REGION}/${service}/aws4_request`;
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none` },
    body: new URLSearchParams({ Action, Version, ...parameters }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${Action}: ${text.slice(0, 500)}`);
  return text;
}

function textOf(xml: string, element: string): string {
  const [text] = textsOf(xml, element);
  if (text === undefined) throw new Error(`an answer has no ${element}: ${xml.slice(0, 500)}`);
  return text;
}

function textsOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);
}
