import { importedPackages } from './imports.ts';
import type { SourceFile, Workspace } from './workspace.ts';

/** Packages that are run and not imported: package → where it is run. */
const run: Record<string, string> = {
  '@bufbuild/buf': 'scripts of proto/package.json',
  'ts-proto': 'plugin of proto/buf.gen.yaml',
  '@biomejs/biome': 'scripts of package.json',
  turbo: 'tools/local/bootstrap.mjs',
  typescript: 'scripts of every package.json',
  '@types/node': 'tsconfig.base.json',
};

/**
 * Differences between declared dependencies and imports:
 *
 * - an import without a declaration
 * - an import in production code with a declaration for development only
 * - a declaration without an import
 *
 * Every package may use the development tools of the root.
 */
export function declarationProblems(workspaces: Workspace[]): string[] {
  const [root, ...packages] = workspaces;
  if (!root) return [];
  const tools = Object.keys(root.manifest.devDependencies ?? {});
  // The root is not deployed and has every package linked, so its files may use all packages.
  const linked = new Set([...tools, ...packages.map(({ manifest }) => manifest.name)]);
  return [
    ...missing(root.shipped, linked, () => 'does not declare it').map((problem) => `${root.manifest.name}: ${problem}`),
    ...packages.flatMap((workspace) => undeclared(workspace, tools)),
    ...workspaces.flatMap(unused),
  ];
}

function undeclared({ manifest, shipped, development }: Workspace, tools: string[]): string[] {
  const { dependencies, peerDependencies } = manifest;
  const production = new Set([manifest.name, ...Object.keys({ ...dependencies, ...peerDependencies })]);
  const all = new Set([...production, ...Object.keys(manifest.devDependencies ?? {}), ...tools]);
  return [
    ...missing(shipped, production, (name) =>
      all.has(name) ? 'declares it for development only' : 'does not declare it',
    ),
    ...missing(development, all, () => 'does not declare it'),
  ].map((problem) => `${manifest.name}: ${problem}`);
}

function missing(files: SourceFile[], allowed: Set<string>, problem: (name: string) => string): string[] {
  return files.flatMap(({ path, text }) =>
    [...importedPackages(text)]
      .filter((name) => !allowed.has(name))
      .map((name) => `${path} imports ${name}, and package.json ${problem(name)}`),
  );
}

function unused({ manifest, shipped, development }: Workspace): string[] {
  const inProduction = importsOf(shipped);
  const anywhere = new Set([...inProduction, ...importsOf(development)]);
  const unusedNames = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => !anywhere.has(name) && !anywhere.has(typedBy(name)) && !(name in run),
  );
  const testsOnly = Object.keys(manifest.dependencies ?? {}).filter(
    (name) => anywhere.has(name) && !inProduction.has(name),
  );
  return [
    ...unusedNames.map((name) => `${manifest.name}: declares ${name}, which nothing in it imports`),
    ...testsOnly.map((name) => `${manifest.name}: declares ${name} for production; only its tests import it`),
  ];
}

const importsOf = (files: SourceFile[]) => new Set(files.flatMap(({ text }) => [...importedPackages(text)]));
/** `@types/x` counts as used when x is used. */
const typedBy = (name: string) => name.replace(/^@types\//, '');

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
