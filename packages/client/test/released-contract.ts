import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Contract {
  paths: Record<string, Record<string, { operationId: string; 'x-served': boolean }>>;
  components: { schemas: Record<string, { properties?: Record<string, object> }> };
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const currentContract: Contract = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));

/** openapi.json of the last release before the commit of the repository; undefined while there is none, or where git does not know it. */
export function releasedContract(repository = root): { tag: string; contract: Contract } | undefined {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
  const tag = run(join(repository, '.ci/last-release'));
  return tag ? { tag, contract: JSON.parse(run('git', 'show', `${tag}:docs/openapi.json`)) } : undefined;
}

export const servedOperations = ({ paths }: Contract): string[] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => operation['x-served'])
    .map(({ operationId }) => operationId);
