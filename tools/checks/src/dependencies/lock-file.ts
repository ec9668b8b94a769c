import type { Manifest } from './workspace.ts';

/** The checked members of package-lock.json. */
export interface LockFile {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
}

export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

/** The only allowed registry. npm replaces it by the registry in use; the URL of a mirror would not work elsewhere. */
const publicRegistry = 'https://registry.npmjs.org/';

/** Locked packages without a secure hash, or from another source than the public registry. */
export function lockProblems({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (!path.includes('node_modules/') || locked.link) return [];
    const problems: string[] = [];
    if (!/^sha512-/.test(locked.integrity ?? '')) problems.push(`${path} is locked without a sha512 integrity`);
    if (locked.resolved && !locked.resolved.startsWith(publicRegistry)) {
      problems.push(`${path} is resolved elsewhere than at ${publicRegistry}`);
    }
    return problems;
  });
}

/** Packages of Node binaries, which may be declared by major version. */
const byMajor = /^node-(linux|darwin)-(x64|arm64)$/;

/** Declared versions that are neither one exact version nor a workspace. */
export function unpinnedVersionProblems({ name, ...manifest }: Manifest, workspaces: ReadonlySet<string>): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([dependency, range]) => (workspaces.has(dependency) ? range !== '*' : !isOneVersion(dependency, range)))
    .map(([dependency, range]) => `${name}: ${dependency} is declared as "${range}", which is not one version`);
}

const isOneVersion = (dependency: string, range: string) =>
  /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range) || (byMajor.test(dependency) && /^\d+$/.test(range));
