import type { Manifest } from './workspace.ts';

export interface LockFile {
  packages: LockedPackages;
}

/** By path (`node_modules/zod`, `libs/errors`). */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optional?: boolean;
  /** Platforms of the package, if limited. */
  os?: string[] | string;
  cpu?: string[] | string;
  libc?: string[] | string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** The only allowed registry. npm replaces it by the registry in use; the URL of a mirror would not work elsewhere. */
const publicRegistry = 'https://registry.npmjs.org/';

/**
 * Locked packages without a secure hash, or from another source than the public registry, and optional packages that are not
 * locked: npm ci refuses a lock file without them.
 *
 * Optional packages of platforms where neither images nor servers run need no hash, because the registry that the lock file is made
 * with may lack them. Their version is locked.
 */
export function lockProblems({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (!path.includes('node_modules/') || locked.link) return [];
    const problems: string[] = [];
    if (!/^sha512-/.test(locked.integrity ?? '') && !isForeign(locked))
      problems.push(`${path} is locked without a sha512 integrity`);
    if (locked.resolved && !locked.resolved.startsWith(publicRegistry)) {
      problems.push(`${path} is resolved elsewhere than at ${publicRegistry}`);
    }
    for (const name of Object.keys(locked.optionalDependencies ?? {})) {
      if (!pathOfLocked(packages, path, name)) problems.push(`${path} needs ${name}, which is not locked`);
    }
    return problems;
  });
}

/** An optional package that no Linux with glibc installs. */
function isForeign({ optional = false, os, cpu, libc }: LockedPackage): boolean {
  const excludes = (allowed: string[] | string | undefined, ...ours: string[]) =>
    allowed !== undefined && ![allowed].flat().some((each) => ours.includes(each));
  return optional && (excludes(os, 'linux') || excludes(cpu, 'x64', 'arm64') || excludes(libc, 'glibc'));
}

/** The path of the package that `from` gets as `name`: npm puts it into the folder of `from` or of one further up. */
export function pathOfLocked(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}

/** Packages of Node binaries, which may be declared by major version. For arm64 Macs the binary has another name. */
const byMajor = /^node-(linux|darwin)-(x64|arm64)$/;

/** Declared versions that are neither one exact version nor a workspace. */
export function unpinnedVersionProblems({ name, ...manifest }: Manifest, workspaces: ReadonlySet<string>): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([dependency, range]) => (workspaces.has(dependency) ? range !== '*' : !isOneVersion(dependency, range)))
    .map(([dependency, range]) => `${name}: ${dependency} is declared as "${range}", which is not one version`);
}

const isOneVersion = (dependency: string, range: string) =>
  /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(range) || (byMajor.test(dependency) && /^\d+$/.test(range));
