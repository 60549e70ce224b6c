import type { Finding } from '../../../core/finding';
import type { World } from '../../../core/world';
import { grantsTo } from '../../grants';
import type { Controller } from './controllers';
import { severityOfMissing } from './parts';
import { installRules } from './rules';

const RBAC = 'rbac.authorization.k8s.io/v1';

/** Whether the controller runs as somebody, and may do anything. */
export function checkAccess(controller: Controller, world: World): Finding[] {
  const rule = installRules['kruise-service-account'];
  const { manifest, namespace, serviceAccountName } = controller;
  const severity = severityOfMissing(controller, world);
  const path = ['spec', 'template', 'spec', 'serviceAccountName'];
  const account = `the ServiceAccount "${serviceAccountName}" of the namespace "${namespace}"`;
  // Every namespace has a ServiceAccount "default" without anybody making it.
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
        fix: 'name the ClusterRole of the install',
        absent: [{ apiVersion: RBAC, kind: 'ClusterRole', name: roleName }],
      }),
    );
}
