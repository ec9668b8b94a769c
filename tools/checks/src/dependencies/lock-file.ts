import type { Manifest } from './workspace.ts';

/** What of package-lock.json is checked. */
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

/** The one registry that may be named; npm takes it for the one in use. A mirror's name says nothing to other machines. */
const publicRegistry = 'https://registry.npmjs.org/';

/** Every locked package that could be another than the one that was reviewed, or that only one machine could fetch. */
export function lockFaults({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (!path.includes('node_modules/') || locked.link) return [];
    const faults: string[] = [];
    if (!/^sha512-/.test(locked.integrity ?? '')) faults.push(`${path} is locked without a sha512 integrity`);
    if (locked.resolved && !locked.resolved.startsWith(publicRegistry)) {
      faults.push(`${path} is resolved elsewhere than at ${publicRegistry}`);
    }
    return faults;
  });
}

/** A name for a major of Node's own binaries, of which every release is built from one source. */
const byMajor = /^node-(linux|darwin)-(x64|arm64)$/;

/** Every declared version that two machines could understand differently: anything but one version or a workspace. */
export function unpinned({ name, ...manifest }: Manifest, workspaces: ReadonlySet<string>): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([dependency, range]) => (workspaces.has(dependency) ? range !== '*' : !isOneVersion(dependency, range)))
    .map(([dependency, range]) => `${name}: ${dependency} is declared as "${range}", which is not one version`);
}

const isOneVersion = (dependency: string, range: string) =>
  /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range) || (byMajor.test(dependency) && /^\d+$/.test(range));
