import type { Workspace } from './workspace.ts';

/** A package for tests, and the packages that may declare it for production because they are for tests or demo data themselves. */
const testPackage = '@shopscope/testing';
const forTests = new Set(['@shopscope/bench', '@shopscope/demo-usage', '@shopscope/dev-env', '@shopscope/faults']);

/**
 * Every package that declares the tests' package for production. Since a shipped source may import only what is declared
 * for production (see declared.ts), no source of a service or library can import it either.
 */
export function testOnlyProblems(workspaces: Workspace[]): string[] {
  return workspaces
    .filter(({ manifest }) => manifest.dependencies?.[testPackage] && !forTests.has(manifest.name))
    .map(({ manifest }) => `${manifest.name}: declares ${testPackage} for production; it is for tests only`);
}
