import { AwsAccess } from '../../aws/access';
import { policyJson } from '../../aws/policy-document';
import { verificationPolicy } from '../../aws/verification-policy';
import { escapeJson } from '../../report/escape';
import { UserError } from '../../settings/user-error';
import { type Command, oneOf, parseOptions } from '../command';
import { given, OUTPUT_HELP, OUTPUT_OPTION, writeDocument } from '../export/output';

const DOCUMENTS = ['policy', 'trust'] as const;
const ROLLOUTS = ['all', 'blueGreen'] as const;

const command: Command = {
  name: 'export iam',
  usage: `
usage: rollout-constructs export iam [policy|trust] [options]

Prints the IAM documents with which Argo Rollouts verifies target groups (--aws-verify-target-group), as JSON: what a
TargetGroupVerificationPolicy has. Nothing is read from AWS or written to it.

  policy                   the permissions of the controller (default)
  trust                    who may assume the role; needs --oidc-provider, --eks-cluster or --trusted-role

Options of policy
  --rollouts <which>       all, or blueGreen, which needs one action only (default all)
  --region <region>        a region that the controller may call; may be given several times (default every region)
  --source-vpc <vpc>       a VPC from which it may call, through a VPC endpoint; may be given several times

Options of trust
  --oidc-provider <arn>    IAM roles for ServiceAccounts: the OIDC provider of the cluster
  --eks-cluster <name>     EKS Pod Identity: the name of the cluster
  --trusted-role <arn>     kiam or kube2iam: the role that calls AWS for the pods; may be given several times
  -n, --namespace <name>   the namespace of the controller (default argo-rollouts)
  --service-account <name> the ServiceAccount of the controller (default argo-rollouts)

${OUTPUT_HELP}

Examples
  rollout-constructs export iam --region eu-west-1 > policy.json
  aws iam create-policy --policy-name argo-rollouts-verification --policy-document file://policy.json

Exit codes: 0 printed; 2 wrong use.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(command.name, args, OPTIONS, { max: 1, what: 'a document' });
    const document = oneOf('the document', positionals[0] ?? 'policy', DOCUMENTS);
    const foreign = Object.keys(values).find(
      (name) => args.some((arg) => arg.split('=')[0] === `--${name}`) && OWNER[name] === other(document),
    );
    if (foreign !== undefined) throw new UserError(`--${foreign} is an option of "export iam ${other(document)}"`);
    const json = given(() => policyJson(document === 'policy' ? policyOf(values) : trustOf(values), 2));
    await writeDocument(`${escapeJson(json)}\n`, values.output, io);
    return 0;
  },
};

export default command;

const OPTIONS = {
  rollouts: { type: 'string', default: 'all' },
  region: { type: 'string', multiple: true },
  'source-vpc': { type: 'string', multiple: true },
  'oidc-provider': { type: 'string' },
  'eks-cluster': { type: 'string' },
  'trusted-role': { type: 'string', multiple: true },
  namespace: { type: 'string', short: 'n', default: 'argo-rollouts' },
  'service-account': { type: 'string', default: 'argo-rollouts' },
  ...OUTPUT_OPTION,
} as const;

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>['values'];
type Document = (typeof DOCUMENTS)[number];

/** The document that an option belongs to. */
const OWNER: Readonly<Record<string, Document>> = {
  rollouts: 'policy',
  region: 'policy',
  'source-vpc': 'policy',
  'oidc-provider': 'trust',
  'eks-cluster': 'trust',
  'trusted-role': 'trust',
  namespace: 'trust',
  'service-account': 'trust',
};

function other(document: Document): Document {
  return document === 'policy' ? 'trust' : 'policy';
}

function policyOf(values: Values) {
  const rollouts = oneOf('--rollouts', values.rollouts, ROLLOUTS);
  return verificationPolicy({ rollouts, regions: values.region ?? [], sourceVpcs: values['source-vpc'] ?? [] });
}

function trustOf(values: Values) {
  const { namespace, 'service-account': name } = values;
  const document = accessOf(values).trustPolicy({ namespace, name });
  if (document === undefined) throw new Error('there is no role, so there is no trust policy');
  return document;
}

function accessOf(values: Values): AwsAccess {
  const provider = values['oidc-provider'];
  const clusterName = values['eks-cluster'];
  const trustedRoles = values['trusted-role'] ?? [];
  const ways = [provider !== undefined, clusterName !== undefined, trustedRoles.length > 0].filter(Boolean).length;
  if (ways !== 1) {
    throw new UserError(
      ways === 0 ? 'export iam trust needs to know how the pods get the role' : 'the pods get the role in one way only',
      'give one of --oidc-provider, --eks-cluster and --trusted-role',
    );
  }
  if (provider !== undefined) return AwsAccess.irsa({ provider });
  return clusterName === undefined ? AwsAccess.kube2iam({ trustedRoles }) : AwsAccess.podIdentity({ clusterName });
}
