import type { Finding } from '../../../core/finding';
import type { World } from '../../../core/world';
import { grantsTo } from '../../grants';
import type { Controller } from './controllers';
import { severityOfMissing } from './parts';
import { installRules } from './rules';

const RBAC = 'rbac.authorization.k8s.io/v1';

/** Checks that the controller's ServiceAccount exists and has permissions. */
export function checkAccess(controller: Controller, world: World): Finding[] {
  const rule = installRules['kruise-service-account'];
  const { manifest, namespace, serviceAccountName } = controller;
  const severity = severityOfMissing(controller, world);
  const path = ['spec', 'template', 'spec', 'serviceAccountName'];
  const account = `the ServiceAccount "${serviceAccountName}" of the namespace "${namespace}"`;
  // Kubernetes creates the ServiceAccount "default" in every namespace.
  if (serviceAccountName !== 'default' && world.find('ServiceAccount', serviceAccountName, namespace) === undefined) {
    const absent = [{ apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: serviceAccountName }];
    return [manifest.finding(rule, { severity, message: `${account} does not exist`, path, absent })];
  }
  const cluster = grantsTo(world, { namespace, serviceAccountName }).filter((binding) => binding.namespace === '');
  if (cluster.length === 0) {
    const absent = [{ apiVersion: RBAC, kind: 'ClusterRoleBinding' }];
    return [manifest.finding(rule, { severity, message: `no ClusterRoleBinding names ${account}`, path, absent })];
  }
  return cluster
    .filter(({ role, isForeign }) => role === undefined && !isForeign)
    .map(({ manifest: binding, roleName }) =>
      binding.finding(rule, {
        severity,
        message: `the ClusterRoleBinding "${binding.name}" names the ClusterRole "${roleName}", which does not exist`,
        path: ['roleRef', 'name'],
        fix: 'refer to the ClusterRole of the install',
        absent: [{ apiVersion: RBAC, kind: 'ClusterRole', name: roleName }],
      }),
    );
}
