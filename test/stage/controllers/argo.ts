/** Argo Rollouts, installed as `ArgoRolloutsInstall` writes it. */
import { App, Chart } from 'cdk8s';
import { ArgoRolloutsInstall, ArgoRolloutsVersion, AwsAccess } from '../../../src/constructs';
import { AWS_ENVIRONMENT, REGION } from '../aws/moto';
import type { KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import { ready, start } from '../cluster/processes';
import { binaryOf, programNamed } from '../programs';
import { argoRollouts } from './argo-rollouts';
import { type ControllerOnStage, deploymentOf, environmentOf, mountServiceAccount } from './controller';

/** Starts the controller so that it verifies weights and targets in AWS: `argo@1.9.1+aws-verify-target-group`. */
export const VERIFIES = 'aws-verify-target-group';

/** A role as a user gives one; the stand-in for AWS asks for none. */
const ACCESS = AwsAccess.irsa({
  provider: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD',
});

/** The objects of an install, as this library writes them, with the permissions for the routers of the labs. */
export function argoInstall(release: string, features: readonly string[] = []): KubernetesObject[] {
  const chart = new Chart(new App(), 'argo-rollouts', { disableResourceNameHashes: true });
  const version = ArgoRolloutsVersion.find(release) ?? ArgoRolloutsVersion.of(release);
  new ArgoRolloutsInstall(chart, 'ArgoRollouts', {
    version,
    trafficRouters: ['alb', 'nginx', 'istio'],
    ...(features.includes(VERIFIES) && { aws: { verifyTargetGroup: true, region: REGION, access: ACCESS } }),
    // The limit of client-go is for one Rollout at a time.
    extraArgs: ['--qps=200', '--burst=400'],
  });
  return chart.toJson();
}

/** Argo Rollouts on the stage. */
export const argoOnStage: ControllerOnStage = {
  name: 'argo',
  ...argoRollouts,
  async start(plane, release, folder, features) {
    const objects = argoInstall(release, features);
    await applyAll(plane.api, objects);
    const deployment = deploymentOf(objects);
    const { namespace } = deployment.metadata;
    const [container] = deployment.spec.template.spec.containers;
    const account = { namespace, name: deployment.spec.template.spec.serviceAccountName };
    const process = start('argo', binaryOf(programNamed(`argo@${release}`)), container.args, {
      folder,
      env: {
        ...environmentOf(container, namespace),
        ...(await mountServiceAccount(plane, account)),
        ...(features.includes(VERIFIES) && AWS_ENVIRONMENT),
      },
    });
    const { port } = container.readinessProbe.httpGet;
    const { containerPort } = container.ports.find(({ name }: KubernetesObject) => name === port);
    await ready(process, async () => (await fetch(`http://127.0.0.1:${containerPort}/healthz`)).ok, 90);
    return { process, stop: () => process.stop() };
  },
};
