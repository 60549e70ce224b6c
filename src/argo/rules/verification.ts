/** Checks the requirements of target group verification: the flag, a role, its trust policy and its permissions. */
import {
  hasAction,
  IRSA_AUDIENCE,
  IRSA_ROLE,
  POD_ROLE,
  parseArn,
  partitionOfRegion,
  podIdentityProblem,
  type ReadStatement,
  roleNameOf,
  type ServiceAccountName,
  VERIFICATION_ACTIONS,
  verificationActions,
} from '../../aws';
import { conditionHolds } from '../../aws/conditions';
import type { Finding } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, stringMapOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import type { World } from '../../core/world';
import type { ArgoAlbCheck } from './context';
import { type Association, type IamRole, type IamWorld, iamWorld, roleOfArn, tokenTrustProblem } from './iam-world';
import { type Controller, controllersOf, VERIFY } from './install';
import { namespaceRoleFindings } from './namespace-roles';
import { accountOf } from './permissions';
import { argoVerificationRules as rules } from './verification-rules';

/** A controller with everything that determines its permissions. */
interface Subject {
  readonly manifest: Manifest;
  readonly container: Path;
  readonly verify: { readonly text: string; readonly path: Path } | undefined;
  readonly region: string | undefined;
  readonly podAnnotations: ReadonlyMap<string, string>;
  readonly env: readonly { readonly name: string; readonly variable: JsonObject; readonly path: Path }[];
  readonly serviceAccount: ServiceAccountName;
  /** The manifest of the ServiceAccount, if any. */
  readonly account: Manifest | undefined;
  readonly associations: readonly Association[];
  /** The roles of the controller that are among the manifests. */
  readonly roles: readonly IamRole[];
}

/** Checks every controller of Argo Rollouts, and the policies of ACK and Crossplane. */
export function checkArgoVerification(check: ArgoAlbCheck): Finding[] {
  const iam = iamWorld(check.world);
  const subjects = controllersOf(check).map((controller) => subjectOf(controller, check.world, iam));
  return [
    ...iam.written.flatMap(policyFindings),
    ...subjects.flatMap((subject) => [
      ...keyFindings(subject),
      ...annotationFindings(subject),
      ...namespaceFindings(subject, check.world),
      ...trustFindings(subject, iam),
      ...actionFindings(subject, check),
      ...permissionFindings(subject, iam, check.world),
    ]),
    ...associationFindings(subjects, iam, check.world),
  ];
}

function subjectOf({ manifest, path, args, env }: Controller, world: World, iam: IamWorld): Subject {
  const template = asObject(manifest.get(['spec', 'template']));
  const namespace = world.namespaceOf(manifest);
  const name = accountOf(manifest);
  const account = world.find('ServiceAccount', name, namespace);
  const variables = env.map(({ name: variable, path: at }) => ({
    name: variable,
    variable: asObject(manifest.get(at)),
    path: at,
  }));
  const associations = iam.associations.filter(
    ({ serviceAccount }) => serviceAccount.namespace === namespace && serviceAccount.name === name,
  );
  const arn = account?.annotations[IRSA_ROLE];
  const own = arn === undefined ? undefined : roleOfArn(arn, iam.roles);
  return {
    manifest,
    container: path,
    verify: args.find(({ text }) => VERIFY.test(text)),
    region: ['AWS_REGION', 'AWS_DEFAULT_REGION']
      .map((key) => asText(variables.find((one) => one.name === key)?.variable.value))
      .find((text) => text !== ''),
    podAnnotations: stringMapOf(asObject(template.metadata).annotations),
    env: variables,
    serviceAccount: { namespace, name },
    account,
    associations,
    roles: [...(own === undefined ? [] : [own]), ...associations.flatMap((one) => one.role ?? [])],
  };
}

const SECRET_VARIABLES = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

function keyFindings({ manifest, env }: Subject): Finding[] {
  return env.flatMap(({ name, variable, path }) => {
    if (!SECRET_VARIABLES.includes(name)) return [];
    // The message does not include the value, because findings are printed and stored by CI.
    if (asText(variable.value) !== '') {
      const message = `Deployment "${manifest.name}" has ${name} in plain text`;
      return [manifest.finding(rules['argo-verification-key-in-manifest'], { path, message })];
    }
    const { name: secret } = asObject(asObject(variable.valueFrom).secretKeyRef);
    if (name !== 'AWS_SECRET_ACCESS_KEY' || secret === undefined) return [];
    const message = `Deployment "${manifest.name}" reads ${name} from the Secret "${asText(secret)}"`;
    return [manifest.finding(rules['argo-verification-static-key'], { path, message })];
  });
}

function annotationFindings({ manifest, account, podAnnotations, region }: Subject): Finding[] {
  const onPod = podAnnotations.get(IRSA_ROLE);
  const found =
    onPod === undefined || account?.annotations[IRSA_ROLE] !== undefined
      ? []
      : [
          manifest.finding(rules['argo-verification-role-on-pod'], {
            path: ['spec', 'template', 'metadata', 'annotations', IRSA_ROLE],
            message: `Deployment "${manifest.name}" has the role "${onPod}" on its pods, but its ServiceAccount has none`,
          }),
        ];
  const arn = account?.annotations[IRSA_ROLE];
  const problem = arn === undefined ? undefined : arnProblem(arn, region);
  if (account === undefined || problem === undefined) return found;
  return [
    ...found,
    account.finding(rules['argo-verification-role-arn'], {
      path: ['metadata', 'annotations', IRSA_ROLE],
      message: `ServiceAccount "${account.name}" has the role "${arn}", which ${problem}`,
    }),
  ];
}

function namespaceFindings({ podAnnotations, serviceAccount }: Subject, world: World): Finding[] {
  const role = podAnnotations.get(POD_ROLE);
  const namespace = world.find('Namespace', serviceAccount.namespace);
  return role === undefined || namespace === undefined ? [] : namespaceRoleFindings(namespace, role);
}

function arnProblem(arn: string, region: string | undefined): string | undefined {
  if (roleNameOf(arn) === undefined) return 'is not the ARN of a role';
  const { partition } = parseArn(arn)!;
  // Isolated regions are in unknown partitions.
  const needed = region === undefined || region.includes('-iso') ? partition : partitionOfRegion(region);
  return partition === needed
    ? undefined
    : `is in the partition ${partition}, but the region ${region} is in ${needed}`;
}

function trustFindings({ account, serviceAccount, associations, manifest }: Subject, { roles }: IamWorld): Finding[] {
  const arn = account?.annotations[IRSA_ROLE];
  const own = arn === undefined ? undefined : roleOfArn(arn, roles);
  const byToken = own && tokenTrustProblem(own, serviceAccount, account?.annotations[IRSA_AUDIENCE]);
  const refusals = [
    ...(own === undefined || byToken === undefined ? [] : [{ role: own, problem: byToken }]),
    ...associations.flatMap((association) => {
      const { role } = association;
      if (role?.trust === undefined || 'problem' in role.trust.read) return [];
      const problem = podIdentityProblem(role.trust.read.statements, association);
      return problem === undefined ? [] : [{ role, problem }];
    }),
  ];
  return refusals.map(({ role, problem }) =>
    role.manifest.finding(rules['argo-verification-trust'], {
      path: role.trust!.path,
      message: `the trust policy of role "${role.name}" ${problem}`,
      related: { message: `the controller, Deployment "${manifest.name}", is declared here`, ...placeOf(manifest) },
    }),
  );
}

function placeOf(manifest: Manifest): { object: Manifest['ref']; source?: NonNullable<Finding['source']> } {
  const source = manifest.sourceOf();
  return { object: manifest.ref, ...(source === undefined ? {} : { source }) };
}

function actionFindings({ verify, roles, region, manifest }: Subject, { rollouts }: ArgoAlbCheck): Finding[] {
  if (verify === undefined) return [];
  return roles.flatMap((role) => {
    const statements = statementsOf(role);
    if (statements === undefined) return [];
    const missing = VERIFICATION_ACTIONS.filter((action) => !isAllowed(action, statements, region));
    const forCanaries = VERIFICATION_ACTIONS.filter((action) => !verificationActions('blueGreen').includes(action));
    // Without a known canary, a policy for blue-green only may be intended.
    const isForBlueGreen = rollouts.length === 0 && missing.join() === forCanaries.join();
    if (missing.length === 0 || isForBlueGreen) return [];
    const { manifest: at, path } = role.policies[0]!;
    const why = missing
      .flatMap((action) => statements.filter((one) => one.effect === 'Allow' && hasAction(one, action)))
      .some(({ resources }) => !resources.some(isEverything))
      ? ': they are limited to a resource'
      : '';
    const names = missing.map((action) => action.slice(action.indexOf(':') + 1)).join(', ');
    return [
      at.finding(rules['argo-verification-actions'], {
        path,
        message: `the policies of role "${role.name}" do not allow ${names} to Deployment "${manifest.name}"${why}`,
      }),
    ];
  });
}

/** The statements of a role, if all of them are known and valid. */
function statementsOf({ policies, hasUnknownPolicies }: IamRole): readonly ReadStatement[] | undefined {
  if (policies.length === 0 || hasUnknownPolicies) return undefined;
  const statements = policies.flatMap(({ read }) => ('problem' in read ? [] : read.statements));
  const isClear = policies.every(({ read }) => !('problem' in read)) && !statements.some((one) => one.isNegative);
  return isClear ? statements : undefined;
}

function isAllowed(action: string, statements: readonly ReadStatement[], region: string | undefined): boolean {
  const context = new Map(region === undefined ? [] : [['aws:requestedregion', region]]);
  const applies = (statement: ReadStatement, whenUnknown: boolean) =>
    hasAction(statement, action) &&
    statement.resources.some(isEverything) &&
    statement.conditions.every((condition) => conditionHolds(condition, context, () => false) ?? whenUnknown);
  return (
    statements.some((one) => one.effect === 'Allow' && applies(one, true)) &&
    !statements.some((one) => one.effect === 'Deny' && applies(one, false))
  );
}

const isEverything = (resource: string) => /^\*+$/.test(resource);

/** Whether a role is only for verification. */
function isForVerification(role: IamRole): boolean {
  const statements = statementsOf(role) ?? [];
  const allowed = statements.filter(({ effect }) => effect === 'Allow').flatMap(({ actions }) => actions);
  return allowed.length > 0 && allowed.every((action) => KNOWN_ACTIONS.includes(action.toLowerCase()));
}

const KNOWN_ACTIONS = VERIFICATION_ACTIONS.map((action) => action.toLowerCase());

function permissionFindings(subject: Subject, iam: IamWorld, world: World): Finding[] {
  const { manifest, verify, account, roles, serviceAccount } = subject;
  const unused = verify === undefined ? roles.find(isForVerification) : undefined;
  if (unused !== undefined) {
    return [
      manifest.finding(rules['argo-verification-off'], {
        path: [...subject.container, 'args'],
        message: `Deployment "${manifest.name}" gets the role "${unused.name}", but has no flag --aws-verify-target-group`,
      }),
    ];
  }
  // Without a manifest, the role of the ServiceAccount is unknown.
  if (verify === undefined || account === undefined || hasCredentials(subject)) return [];
  const isToldElsewhere = subject.podAnnotations.has(IRSA_ROLE) || strayAssociations(subject, iam, world).length > 0;
  if (isToldElsewhere) return [];
  return [
    manifest.finding(rules['argo-verification-without-permissions'], {
      path: verify.path,
      message: `Deployment "${manifest.name}" has ${verify.text}, but ServiceAccount "${serviceAccount.name}" has no role`,
    }),
  ];
}

const CREDENTIALS =
  /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|WEB_IDENTITY_TOKEN_FILE|ROLE_ARN|PROFILE|CONFIG_FILE|SHARED_CREDENTIALS_FILE|CONTAINER_.*)$/;

/** Whether the manifests give the pods credentials. */
function hasCredentials({ manifest, container, account, associations, podAnnotations, env }: Subject): boolean {
  const { envFrom, volumeMounts } = asObject(manifest.get(container));
  return (
    account?.annotations[IRSA_ROLE] !== undefined ||
    associations.length > 0 ||
    podAnnotations.has(POD_ROLE) ||
    env.some(({ name }) => CREDENTIALS.test(name)) ||
    asList(envFrom).length > 0 ||
    asList(volumeMounts).some((mount) => asText(asObject(mount).mountPath).includes('.aws'))
  );
}

/** Reports associations that are probably for a controller, but name another ServiceAccount. */
function associationFindings(subjects: readonly Subject[], iam: IamWorld, world: World): Finding[] {
  const [subject] = subjects;
  if (subject === undefined || subjects.some(hasCredentials)) return [];
  const { namespace, name } = subject.serviceAccount;
  return strayAssociations(subject, iam, world).map(({ manifest, path, role, serviceAccount }) =>
    manifest.finding(rules['argo-verification-association'], {
      path,
      message: `PodIdentityAssociation "${manifest.name}" is for ServiceAccount "${serviceAccount.name}" in "${serviceAccount.namespace}", but Deployment "${subject.manifest.name}" runs as "${name}" in "${namespace}"`,
      ...(role === undefined && {
        severity: 'warning',
        because:
          'nothing else gives the controller a role, and this association gives one to a ServiceAccount in its namespace that is not among the manifests',
      }),
    }),
  );
}

/** Associations of a role for verification; for an unknown role, those in the controller's namespace with a missing ServiceAccount. */
function strayAssociations({ serviceAccount: own, verify }: Subject, { associations }: IamWorld, world: World) {
  return associations.filter(({ role, serviceAccount: { namespace, name } }) => {
    if (role !== undefined) return isForVerification(role);
    return verify !== undefined && namespace === own.namespace && !world.find('ServiceAccount', name, namespace);
  });
}

function policyFindings({ manifest, path, read }: IamWorld['written'][number]): Finding[] {
  if (!('problem' in read)) return [];
  const message = `the policy in ${manifest.kind} "${manifest.name}" is invalid: ${read.problem}`;
  return [manifest.finding(rules['argo-verification-policy-invalid'], { path, message })];
}
