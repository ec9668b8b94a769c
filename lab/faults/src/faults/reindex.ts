import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FaultContext } from './scenario.ts';

/** The lease of a killed instance ends after 30 s. */
const endBoundMs = 120_000;

/** Runs `--reindex` of search, which ends when a new index of all stores serves. */
export function startReindex({ system, recordProblem }: Pick<FaultContext, 'system' | 'recordProblem'>) {
  const entry = join(system.root, 'services/search/src/main.ts');
  const child = spawn(process.execPath, ['--conditions=@shopscope/source', entry, '--reindex'], {
    stdio: 'ignore',
    env: { SHOPSCOPE_ENV: 'development', OPENSEARCH_URL: system.servers.openSearch.url, INDEX_REPLICAS: '0' },
    timeout: endBoundMs,
  });
  const exited = once(child, 'exit');
  // `requireEnd` reports the rejection.
  exited.catch(() => {});
  return {
    /** Waits until the new index serves. */
    async requireEnd(): Promise<void> {
      const [code] = (await exited) as [number | null];
      if (code !== 0) recordProblem(`the new index did not serve ${endBoundMs / 1_000} s after its begin`);
    },
  };
}
