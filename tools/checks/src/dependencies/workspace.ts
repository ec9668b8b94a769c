import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Manifest {
  name: string;
  workspaces?: string[];
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** One package of the monorepo with its sources, separated into production and development. */
export interface Workspace {
  /** Relative to the root of the repository; empty for the root itself. */
  folder: string;
  manifest: Manifest;
  shipped: SourceFile[];
  development: SourceFile[];
}

export interface SourceFile {
  path: string;
  text: string;
}

const skipped = new Set(['node_modules', 'dist', 'fixtures', '.local', '.turbo', '.git', '.react-router']);
/** The built web application. Its sources are read. */
const built = /\/gen\/web$/;
/** Tests, scripts, and what only the build of the web application reads. */
const isDevelopment = (path: string) =>
  /(^|\/)(test|scripts)\/|\.test\.ts$|\/(vite|react-router|eslint)\.config\.(ts|mjs)$|\/dashboard\/src\/routes\.ts$|\.css$/.test(
    path,
  );

/** Packages outside the workspaces, with a lock file of their own. */
const standalone = ['packages/client/generator', 'packages/n8n-nodes-shopscope'];

/** Every package of the repository, the root first. A file belongs to its innermost package. */
export function readWorkspaces(root: string): Workspace[] {
  const rootManifest = readManifest(root);
  const patterns = rootManifest.workspaces?.filter((pattern) => !pattern.startsWith('!')) ?? [];
  const listed = globSync(
    patterns.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  ).map((path) => path.slice(0, -'/package.json'.length));
  const folders = [...new Set([...listed, ...standalone])].sort();
  return ['', ...folders].map((folder) => {
    const files = sourcesBelow(join(root, folder), new Set(folders.map((other) => join(root, other))));
    const read = files.map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
    return {
      folder,
      manifest: folder === '' ? rootManifest : readManifest(join(root, folder)),
      shipped: read.filter((file) => !isDevelopment(file.path)),
      development: read.filter((file) => isDevelopment(file.path)),
    };
  });
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function sourcesBelow(folder: string, packages: Set<string>): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return skipped.has(entry.name) || built.test(path) || packages.has(path) ? [] : sourcesBelow(path, packages);
    return /\.(tsx?|mjs|css)$/.test(entry.name) ? [path] : [];
  });
}
