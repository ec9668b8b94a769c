import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Contract {
  paths: Record<string, Record<string, { operationId: string; 'x-served': boolean }>>;
  components: { schemas: Record<string, { properties?: Record<string, object> }> };
}

const repository = new URL('../../..', import.meta.url);

export const currentContract: Contract = JSON.parse(readFileSync(new URL('docs/openapi.json', repository), 'utf8'));

/** openapi.json of the last release before this commit; undefined while there is none, or where git does not know it. */
export function releasedContract(): { tag: string; contract: Contract } | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  if (!tag) return undefined;
  const text = git('show', `${tag}:docs/openapi.json`);
  if (!text) throw new Error(`the tag ${tag} has no docs/openapi.json`);
  return { tag, contract: JSON.parse(text) };
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    }).trim();
  } catch {
    return undefined;
  }
}

export const servedOperations = ({ paths }: Contract): string[] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => operation['x-served'])
    .map(({ operationId }) => operationId);
