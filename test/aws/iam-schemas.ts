import type { StructuralSchema } from '../../src/core/schema';

/**
 * The fields of the kinds of ACK and Crossplane that this library writes or reads, as their CustomResourceDefinitions have
 * them (aws-controllers-k8s iam-controller and eks-controller, crossplane-contrib provider-upjet-aws), without texts.
 */
const text: StructuralSchema = { type: 'string' };
const flag: StructuralSchema = { type: 'boolean' };
const number: StructuralSchema = { type: 'number' };
const map: StructuralSchema = { type: 'object', additionalProperties: text };
const fields = (properties: Readonly<Record<string, StructuralSchema>>, required: string[] = []): StructuralSchema =>
  ({ type: 'object', properties, ...(required.length > 0 && { required }) }) as StructuralSchema;
const listOf = (items: StructuralSchema): StructuralSchema => ({ type: 'array', items });

const object = (spec: StructuralSchema): StructuralSchema =>
  fields({ apiVersion: text, kind: text, metadata: { type: 'object' }, spec });

const from = fields({ from: fields({ name: text, namespace: text }) });
const ackTags = listOf(fields({ key: text, value: text }));

const resolution = fields({ resolution: text, resolve: text });
const reference = fields({ name: text, policy: resolution }, ['name']);
const selector = fields({ matchControllerRef: flag, matchLabels: map, policy: resolution });
const crossplane = (forProvider: Readonly<Record<string, StructuralSchema>>): StructuralSchema =>
  object(
    fields({ deletionPolicy: text, forProvider: fields(forProvider), providerConfigRef: reference }, ['forProvider']),
  );

/** By `<apiVersion> <kind>`. */
export const IAM_SCHEMAS: ReadonlyMap<string, StructuralSchema> = new Map([
  [
    'iam.services.k8s.aws/v1alpha1 Policy',
    object(
      fields({ name: text, description: text, path: text, policyDocument: text, tags: ackTags }, [
        'name',
        'policyDocument',
      ]),
    ),
  ],
  [
    'iam.services.k8s.aws/v1alpha1 Role',
    object(
      fields(
        {
          assumeRolePolicyDocument: text,
          description: text,
          inlinePolicies: map,
          maxSessionDuration: { type: 'integer' },
          name: text,
          path: text,
          permissionsBoundary: text,
          permissionsBoundaryRef: from,
          policies: listOf(text),
          policyRefs: listOf(from),
          tags: ackTags,
        },
        ['assumeRolePolicyDocument', 'name'],
      ),
    ),
  ],
  [
    'eks.services.k8s.aws/v1alpha1 PodIdentityAssociation',
    object(
      fields(
        {
          clientRequestToken: text,
          clusterName: text,
          clusterRef: from,
          namespace: text,
          roleARN: text,
          roleRef: from,
          serviceAccount: text,
          tags: map,
        },
        ['namespace', 'serviceAccount'],
      ),
    ),
  ],
  [
    'iam.aws.upbound.io/v1beta1 Policy',
    crossplane({ description: text, path: text, policy: text, tags: map, delayAfterPolicyCreationInMs: number }),
  ],
  [
    'iam.aws.upbound.io/v1beta1 Role',
    crossplane({
      assumeRolePolicy: text,
      description: text,
      forceDetachPolicies: flag,
      maxSessionDuration: number,
      path: text,
      permissionsBoundary: text,
      tags: map,
    }),
  ],
  [
    'iam.aws.upbound.io/v1beta1 RolePolicyAttachment',
    crossplane({
      policyArn: text,
      policyArnRef: reference,
      policyArnSelector: selector,
      role: text,
      roleRef: reference,
      roleSelector: selector,
    }),
  ],
  [
    'eks.aws.upbound.io/v1beta1 PodIdentityAssociation',
    crossplane({
      clusterName: text,
      clusterNameRef: reference,
      clusterNameSelector: selector,
      disableSessionTags: flag,
      namespace: text,
      region: text,
      roleArn: text,
      roleArnRef: reference,
      roleArnSelector: selector,
      serviceAccount: text,
      tags: map,
      targetRoleArn: text,
      targetRoleArnRef: reference,
      targetRoleArnSelector: selector,
    }),
  ],
]);
