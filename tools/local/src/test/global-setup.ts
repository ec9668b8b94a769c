import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  endLeftovers,
  keepDataInMemory,
  killRecorded,
  LocalStackError,
  removeDockerVolumes,
  removeState,
  startOpenSearch,
  startStack,
} from '@shopscope/local-stack';
import { parseArguments } from '../start/arguments.ts';
import { localDirectory } from '../start/settings.ts';
import { startOnDemand } from './on-demand.ts';

/**
 * Starts the stack of a test run: external servers of the environment, or native ones of one or three nodes on free ports, whose data are
 * deleted at the end. Workers start later and get the addresses in their environment. OpenSearch starts when the first worker asks for it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const root = localDirectory(process.env);
  const stateDir = join(root, `test-${process.pid}`);
  await endKilledRuns(root);
  mkdirSync(stateDir, { recursive: true });
  endWithTheRun(stateDir);
  keepDataInMemory(stateDir);
  const options = async () => ({
    // `npm test -- --nodes 3 --redis cluster PATH`
    ...parseArguments(process.env.SHOPSCOPE_TEST_STACK?.split(' ') ?? []),
    stateDir,
    cacheDir: process.env.SHOPSCOPE_CACHE_DIR ?? join(root, 'cache'),
    env: process.env,
    isTemporary: true,
    report: (line: string) => void process.stdout.write(`${line}\n`),
  });
  const start = async () => startStack(await options());
  const stack = await start().catch((error: Error) => {
    removeState(stateDir);
    // One sentence with the remedy, without a stack.
    if (error instanceof LocalStackError) error.stack = error.message;
    throw error;
  });
  process.env.SHOPSCOPE_MONGODB_URL = stack.mongodb.url;
  process.env.SHOPSCOPE_KAFKA_BROKERS = stack.kafka.url;
  process.env.SHOPSCOPE_REDIS_URL = stack.redis.url;
  const openSearch = await startOnDemand(async (abort) => {
    const { opensearch, stop } = await startOpenSearch({ ...(await options()), abort });
    return { url: opensearch.url, stop };
  });
  process.env.SHOPSCOPE_TEST_OPENSEARCH = openSearch.url;
  return async () => {
    await openSearch.stop();
    await stack.stop();
    if (stack.parts.some(({ provider }) => provider === 'docker')) await removeDockerVolumes(stateDir);
    removeState(stateDir);
  };
}

/** An interrupted run does not reach its teardown, so signals end the stack. */
function endWithTheRun(stateDir: string): void {
  const end = () => {
    killRecorded(stateDir);
    removeState(stateDir);
  };
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      end();
      process.kill(process.pid, signal);
    });
  }
}

/** Removes servers and data of earlier runs that were killed. */
async function endKilledRuns(root: string): Promise<void> {
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(root)) {
    const pid = Number(/^test-(\d+)$/.exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    await endLeftovers(join(root, name));
    removeState(join(root, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
