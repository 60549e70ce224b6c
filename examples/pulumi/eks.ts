/** An EKS cluster with the AWS Load Balancer Controller, which both examples use. */
import { Cluster } from '@pulumi/aws/eks/cluster';
import { NodeGroup } from '@pulumi/aws/eks/nodeGroup';
import { OpenIdConnectProvider } from '@pulumi/aws/iam/openIdConnectProvider';
import { Role } from '@pulumi/aws/iam/role';
import { RolePolicyAttachment } from '@pulumi/aws/iam/rolePolicyAttachment';
import { Release } from '@pulumi/kubernetes/helm/v3/release';
import { Provider } from '@pulumi/kubernetes/provider';
import * as pulumi from '@pulumi/pulumi';

const config = new pulumi.Config();

function roleOf(name: string, assumeRolePolicy: pulumi.Input<string>, policies: pulumi.Input<string>[]): Role {
  const role = new Role(name, { assumeRolePolicy });
  for (const [index, policyArn] of policies.entries()) {
    new RolePolicyAttachment(`${name}-${index}`, { role: role.name, policyArn });
  }
  return role;
}

function trusts(service: string): string {
  const Principal = { Service: service };
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }],
  });
}

const managed = (name: string) => `arn:aws:iam::aws:policy/${name}`;

export const cluster = new Cluster('shop', {
  roleArn: roleOf('cluster', trusts('eks.amazonaws.com'), [managed('AmazonEKSClusterPolicy')]).arn,
  vpcConfig: { subnetIds: config.requireObject<string[]>('subnetIds') },
});

const nodes = new NodeGroup('nodes', {
  clusterName: cluster.name,
  nodeRoleArn: roleOf('nodes', trusts('ec2.amazonaws.com'), [
    managed('AmazonEKSWorkerNodePolicy'),
    managed('AmazonEKS_CNI_Policy'),
    managed('AmazonEC2ContainerRegistryReadOnly'),
  ]).arn,
  subnetIds: config.requireObject<string[]>('subnetIds'),
  scalingConfig: { minSize: 2, desiredSize: 2, maxSize: 4 },
});

const issuer = cluster.identities.apply((identities) => identities[0]!.oidcs[0]!.issuer);

/** Lets ServiceAccounts of the cluster assume IAM roles. */
export const oidcProvider = new OpenIdConnectProvider('cluster', {
  url: issuer,
  clientIdLists: ['sts.amazonaws.com'],
});

const kubeconfig = pulumi.jsonStringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'eks',
      cluster: { server: cluster.endpoint, 'certificate-authority-data': cluster.certificateAuthority.data },
    },
  ],
  contexts: [{ name: 'eks', context: { cluster: 'eks', user: 'eks' } }],
  'current-context': 'eks',
  users: [
    {
      name: 'eks',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          command: 'aws',
          args: ['eks', 'get-token', '--cluster-name', cluster.name],
        },
      },
    },
  ],
});

/** The provider for all objects in the cluster. It waits for the nodes. */
export const provider = new Provider('eks', { kubeconfig }, { dependsOn: nodes });

const host = issuer.apply((url) => url.replace('https://', ''));
const controllerRole = roleOf(
  'load-balancer-controller',
  pulumi.all([oidcProvider.arn, host]).apply(([arn, name]) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Federated: arn },
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: { [`${name}:sub`]: 'system:serviceaccount:kube-system:aws-load-balancer-controller' },
          },
        },
      ],
    }),
  ),
  [config.require('loadBalancerPolicyArn')],
);

/** Creates load balancers from Ingresses of the class `alb`. */
export const loadBalancerController = new Release(
  'aws-load-balancer-controller',
  {
    chart: 'aws-load-balancer-controller',
    repositoryOpts: { repo: 'https://aws.github.io/eks-charts' },
    namespace: 'kube-system',
    name: 'aws-load-balancer-controller',
    values: {
      clusterName: cluster.name,
      serviceAccount: {
        name: 'aws-load-balancer-controller',
        annotations: { 'eks.amazonaws.com/role-arn': controllerRole.arn },
      },
    },
  },
  { provider },
);
