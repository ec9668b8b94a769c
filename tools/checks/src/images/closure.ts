import { type LockedPackages, pathOfLocked } from '../dependencies/lock-file.ts';

export type Closure = ReturnType<typeof productionClosure>;

/**
 * The production closure of a workspace folder, from the lock file: all production dependencies, resolved as Node does,
 * from the importing package upwards. Throws when the lock file lacks a dependency.
 */
export function productionClosure(packages: LockedPackages, folder: string) {
  /** By path in the lock file (`node_modules/zod`, `libs/errors`). */
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
    const found = pathOfLocked(packages, from, name);
    // A link of a workspace leads to its folder.
    const path = found && packages[found]?.link ? packages[found].resolved : found;
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
