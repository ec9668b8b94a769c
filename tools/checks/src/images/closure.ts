/** The members of package-lock.json that decide the production dependencies of a package. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  link?: boolean;
  /** Platforms of the package, if limited. */
  os?: string[];
  cpu?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface Closure {
  /** Path in the lock file (`node_modules/zod`, `libs/errors`) → whether the package is required. */
  packages: ReadonlyMap<string, { version: string | undefined; required: boolean }>;
}

/**
 * The production closure of a workspace folder, from the lock file: all production dependencies, resolved as Node does,
 * from the importing package upwards. Throws when the lock file lacks a dependency.
 */
export function productionClosure(packages: LockedPackages, folder: string): Closure {
  const found = new Map<string, { version: string | undefined; required: boolean }>();
  const visit = (path: string, required: boolean) => {
    const before = found.get(path);
    if (before && (before.required || !required)) return;
    const locked = packages[path];
    if (!locked) throw new Error(`package-lock.json has no ${path}`);
    found.set(path, { version: locked.version, required });
    for (const name of Object.keys(locked.dependencies ?? {})) follow(path, name, required);
    for (const name of Object.keys(locked.optionalDependencies ?? {})) follow(path, name, false);
    for (const name of Object.keys(locked.peerDependencies ?? {})) {
      if (!locked.peerDependenciesMeta?.[name]?.optional) follow(path, name, required);
    }
  };
  const follow = (from: string, name: string, required: boolean) => {
    const path = resolveFrom(packages, from, name);
    if (path) visit(path, required);
    else if (required) throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  };
  visit(folder, true);
  return { packages: found };
}

/** One build serves several platforms, so a package for some platforms only would be missing on the others. */
export const platformProblems = (packages: LockedPackages, closure: Closure): string[] =>
  [...closure.packages.keys()]
    .filter((path) => packages[path]?.os || packages[path]?.cpu)
    .map((path) => `holds ${path}, which is for one platform only`);

/** The path of `name` in the lock file, resolved from `from`; for a link the path of its target. */
function resolveFrom(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const locked = packages[path];
    if (locked) return locked.link ? locked.resolved : path;
    if (folder === '') return undefined;
  }
}
