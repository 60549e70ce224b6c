/** Why a kind could not be read, and which permission that takes. */
import type { Unread } from '../../doctor';
import type { ApiError } from './client';
import type { ServedKind } from './discovery';

/** The reason, as `doctor` shows it. */
export function unreadOf(
  { groupKind: kind, apiVersion, plural }: ServedKind,
  namespace: string | undefined,
  error: ApiError,
): Unread {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const where = namespace === undefined ? 'in all namespaces' : `in the namespace "${namespace}"`;
  return {
    groupKind: kind,
    ...(namespace === undefined ? {} : { namespace }),
    why: error.status === 403 ? 'forbidden' : error.message,
    ...(error.status === 403 ? { permission: `list ${plural}${group} ${where}` } : {}),
  };
}
