import { UserError } from '../../settings/user-error';
import { readVersions, type Versions } from '../../settings/versions';

/** The version that the API server reports; a text that is no version is left out. */
export function servedVersions(release: string | undefined): Versions {
  try {
    return release === undefined ? {} : readVersions({ kubernetesVersion: release }, (name) => name);
  } catch (error) {
    if (error instanceof UserError) return {};
    throw error;
  }
}
