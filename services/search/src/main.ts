import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { runReindex } from './run-reindex.ts';
import { startSearch } from './service.ts';

if (process.argv.includes('--reindex')) {
  // biome-ignore lint/style/noProcessEnv: the environment enters a process here and reaches only readConfig
  process.exit(await runReindex(process.env));
}
await runService({ name: 'search', loadConfig, start: startSearch, migration });
