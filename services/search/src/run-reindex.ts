import { systemClock } from '@shopscope/clock';
import {
  ConfigError,
  type Environment,
  openSearchOptions,
  openSearchRules,
  openSearchSettings,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';
import { connectOpenSearch } from '@shopscope/opensearch';
import { createLogger, createRegistry, errorLine, flushLogger } from '@shopscope/telemetry';
import { indexSettings } from './config.ts';
import { reindex } from './operations/reindex.ts';
import { createStateDocuments } from './outbound/opensearch/state-documents.ts';
import { createStoreIndexes } from './outbound/opensearch/store-indexes.ts';

const { SHOPSCOPE_ENV, LOG_LEVEL, INSTANCE_ID } = serviceSettings;
const settings = z.object({ SHOPSCOPE_ENV, LOG_LEVEL, INSTANCE_ID, ...openSearchSettings, ...indexSettings });

const configErrorCode = 78;

/**
 * Runs `--reindex` with the settings of OpenSearch only. Returns the exit code: 0 when the new index serves, 78 if the settings are invalid,
 * otherwise 1.
 *
 * - SIGTERM or SIGINT -> it exits, and the instances of the service continue.
 */
export async function runReindex(env: Environment): Promise<number> {
  let config: z.output<typeof settings>;
  try {
    config = readConfig(settings, env, [openSearchRules]);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`search: ${error.message}\n`);
    return configErrorCode;
  }
  const logger = createLogger({ service: 'search', instance: config.INSTANCE_ID, level: config.LOG_LEVEL });
  const interrupted = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => interrupted.abort(new Error('interrupted')));
  const registry = createRegistry({ service: 'search' });
  const openSearch = connectOpenSearch({ ...openSearchOptions(config), logger, registry });
  try {
    const indexes = createStoreIndexes(openSearch, { shards: config.INDEX_SHARDS, replicas: config.INDEX_REPLICAS });
    const states = createStateDocuments(openSearch);
    await reindex({ clock: systemClock, logger, indexes, states }, interrupted.signal);
    logger.info('the new index serves');
    return 0;
  } catch (error) {
    logger.fatal(`the new index does not serve yet: ${errorLine(error)}`);
    return 1;
  } finally {
    await openSearch.close();
    await flushLogger(logger);
  }
}
