import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { edgePaths } from '@shopscope/dashboard';
import { adminPaths } from '@shopscope/telemetry';
import routes from '../../../../../services/dashboard/src/routes.ts';
import { operations } from '../../../../../services/gateway/src/endpoints/endpoints.ts';

/**
 * The routes of each HTTP listener, read from its own definitions, so that a new route is tested without a change here.
 */

interface Route {
  path?: string;
  children?: Route[];
}

/** The paths of the dashboard with `:name` as placeholders, and the paths outside of its web application. */
export function dashboardPaths(): string[] {
  const pathsOf = (entries: readonly Route[], above: string): string[] =>
    entries.flatMap(({ path = '', children }) => {
      const own = path === '' ? above : `${above}/${path}`;
      return children ? pathsOf(children, own) : [own === '' ? '/' : own];
    });
  return [...new Set([...pathsOf(routes, ''), ...Object.values(edgePaths)])];
}

/** The names of query parameters and fields that pages read. */
export function dashboardNames(): string[] {
  const folder = fileURLToPath(new URL('../../../../../services/dashboard/src/', import.meta.url));
  const sources = globSync('*/{components,pages}/*.{ts,tsx}', { cwd: folder }).map((path) =>
    readFileSync(folder + path, 'utf8'),
  );
  const named = [/\.(?:get|has|text|texts|secret|file)\('(\w+)'\)/g, /\bname="(\w+)"/g, /\b(?:text|of)\('(\w+)'\)/g];
  return [...new Set(named.flatMap((each) => [...sources.join('\n').matchAll(each)].map(([, name = '']) => name)))];
}

/** The paths of the contract with `{name}` as placeholders. */
export const contractPaths = (): string[] => [...new Set(operations.map(({ path }) => path))];

/** The names of query parameters and of members of bodies in the contract. */
export const contractNames = (): string[] => [
  ...new Set(operations.flatMap(({ query, body }) => Object.keys({ ...query?.shape, ...body?.shape }))),
];

/** The paths of an admin port, and the one that only some services have. */
export const allAdminPaths = (): string[] => [...adminPaths, '/development/clock', '/'];
