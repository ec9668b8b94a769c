import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Closure } from './closure.ts';

export interface ImageContents {
  /** `path`: in the lock file. */
  packages: { path: string; version: string }[];
  /** Files of workspace packages outside node_modules, relative to the image's folder. */
  files: string[];
}

export function readContents(folder: string): ImageContents {
  const packages: ImageContents['packages'] = [];
  const files: string[] = [];
  const addPackage = (path: string) => {
    const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    packages.push({ path: relative(folder, path), version });
  };
  const addModules = (path: string) => {
    for (const name of readdirSync(path).filter((each) => !each.startsWith('.'))) {
      const child = join(path, name);
      if (name.startsWith('@')) addModules(child);
      else if (lstatSync(child).isSymbolicLink()) addPackage(realpathSync(child));
      else {
        addPackage(child);
        const nested = join(child, 'node_modules');
        if (lstatSync(nested, { throwIfNoEntry: false })) addModules(nested);
      }
    }
  };
  const addFiles = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name);
      if (entry.isDirectory() && entry.name === 'node_modules') addModules(child);
      else if (entry.isDirectory()) addFiles(child);
      else files.push(relative(folder, child));
    }
  };
  addFiles(realpathSync(folder));
  return { packages, files };
}

/** Tools for tests, builds and local development. No image may contain them, even if the lock file lists them. */
const forbidden = [
  /^node_modules\/(testcontainers|dockerode|docker-modem|docker-compose|vitest|vite|typescript|turbo|fast-check|wappalyzer|tailwindcss|playwright-core)$/,
  /^node_modules\/(@biomejs|@turbo|@typescript|@vitest|@testcontainers|@tailwindcss|@axe-core|@rolldown|@react-router\/dev|@bufbuild\/(buf|protoplugin))(\/|$)/,
  /^node_modules\/(ts-proto|undici-types-.*|autocannon)$/,
  /^(lab\/.*|tools\/(certificates|checks|dev-env|local|local-stack))$/,
];

/** The package with a web application, whose built files belong into its image. */
const webFolder = 'services/dashboard';
const webBundle = `${webFolder}/gen/web/server/index.js`;

const isResult = (folder: string, file: string) =>
  file === `${folder}/package.json` ||
  file.startsWith(`${folder}/dist/`) ||
  (folder === webFolder && file.startsWith(`${folder}/gen/web/`));

/** Differences between an image and the production closure of its package. */
export function contentProblems({ packages, files }: ImageContents, closure: Closure): string[] {
  const installed = new Map(packages.map((each) => [each.path, each.version]));
  const problems: string[] = [];
  for (const [path, version] of installed) {
    const wanted = closure.packages.get(path);
    if (forbidden.some((pattern) => pattern.test(path))) problems.push(`holds ${path}, which no image may hold`);
    else if (!wanted) problems.push(`holds ${path}, which is not in the production closure`);
    else if (wanted.version !== version) problems.push(`holds ${path} ${version}; the lock file has ${wanted.version}`);
  }
  for (const [path, { required }] of closure.packages) {
    if (required && !installed.has(path)) problems.push(`lacks ${path}, which is in the production closure`);
  }
  const workspaces = [...closure.packages.keys()].filter((path) => !/(^|\/)node_modules\//.test(path));
  if (workspaces.includes(webFolder) && !files.includes(webBundle)) problems.push(`lacks ${webBundle}`);
  for (const file of files) {
    const owner = workspaces.find((folder) => isResult(folder, file));
    if (!owner) problems.push(`holds ${file}, which is neither a dist file nor a package.json of the closure`);
    else if (/\.test\.[a-z.]+$/.test(file)) problems.push(`holds the test ${file}`);
  }
  return problems;
}
