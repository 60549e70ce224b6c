/** Names of files as texts, with `/` between their parts, as reports show them. */

/** The last part: `web.yaml` of `deploy/web.yaml`. */
export function baseName(file: string, extension = ''): string {
  const name = file.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '');
  return extension !== '' && name.endsWith(extension) ? name.slice(0, -extension.length) : name;
}

/** All parts but the last: `deploy` of `deploy/web.yaml`, and `.` of `web.yaml`. */
export function folderName(file: string): string {
  const end = file.lastIndexOf('/');
  return end < 0 ? '.' : file.slice(0, Math.max(end, 1));
}

/** The parts one after the other, without `.`, and with `..` taken back. */
export function joinedPath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/');
  const isAbsolute = joined.startsWith('/');
  const kept: string[] = [];
  for (const part of joined.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (part !== '..' || !isAbsolute) kept.push(part);
  }
  return `${isAbsolute ? '/' : ''}${kept.join('/')}` || '.';
}

const WINDOWS = /^([A-Za-z]:[\\/]|\\\\)/;

/** Whether a path starts at the root of a disk: `/srv/web.yaml`, `C:\\web.yaml`. */
export function isAbsolutePath(file: string): boolean {
  return file.startsWith('/') || WINDOWS.test(file);
}

/** The `file:` address of an absolute path. */
export function fileUrl(file: string): string {
  const path = WINDOWS.test(file) ? `/${file.replaceAll('\\', '/')}` : file;
  const url = new URL('file:///');
  // Else an address reads them as something of its own.
  url.pathname = path.replace(/[%\\\n\r\t]/g, (character) => encodeURIComponent(character));
  return url.href;
}
