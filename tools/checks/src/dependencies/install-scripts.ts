import type { LockFile } from './lock-file.ts';

/**
 * Packages with an install script. No script runs (`ignore-scripts` in .npmrc). Each entry has the reason why the
 * package works without its script, so a new one needs a decision.
 */
export const installScripts: Readonly<Record<string, string>> = {
  '@bufbuild/buf': 'checks that the program for this platform is installed; the program is a separate package',
  'cpu-features': 'compiles a detection of processor features for ssh2, which works without it',
  protobufjs: 'prints a warning about the requested version',
  ssh2: 'compiles ciphers for Docker over SSH, which is not used; JavaScript versions exist too',
};

/** Problems: an unlisted install script, a listed one that no longer exists, a configuration that runs install scripts. */
export function installScriptProblems({ packages }: LockFile, npmrc: string, listed = installScripts): string[] {
  const found = new Set(
    Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const problems = [...found]
    .filter((name) => !(name in listed))
    .map((name) => `${name} has an install script and is not listed in install-scripts.ts`);
  for (const name of Object.keys(listed).filter((listedName) => !found.has(listedName))) {
    problems.push(`${name} is listed in install-scripts.ts and has no install script any more`);
  }
  if (!/^ignore-scripts=true$/m.test(npmrc)) problems.push('.npmrc does not contain ignore-scripts=true');
  return problems;
}
