import type { LockFile } from './lock-file.ts';

/**
 * Packages that would run a program at installation. None is run (`ignore-scripts` in .npmrc); each is named here with
 * why it works without, so that a new one is a decision and not a surprise.
 */
export const installScripts: Readonly<Record<string, string>> = {
  '@bufbuild/buf': 'looks whether the program for this platform came along; it comes as a package of its own',
  'cpu-features': 'compiles a look at the processor for ssh2, which does without',
  protobufjs: 'prints a warning about the version a package asks for',
  ssh2: 'compiles ciphers for Docker over SSH, which we do not use; it has them in JavaScript as well',
};

/** Packages with install scripts that nobody listed, listed ones that are gone, and a configuration that would run them. */
export function installScriptFaults({ packages }: LockFile, npmrc: string, listed = installScripts): string[] {
  const found = new Set(
    Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const faults = [...found]
    .filter((name) => !(name in listed))
    .map((name) => `${name} has an install script and is not listed in install-scripts.ts`);
  for (const name of Object.keys(listed).filter((listedName) => !found.has(listedName))) {
    faults.push(`${name} is listed in install-scripts.ts and has no install script any more`);
  }
  if (!/^ignore-scripts=true$/m.test(npmrc)) faults.push('.npmrc does not say ignore-scripts=true');
  return faults;
}
