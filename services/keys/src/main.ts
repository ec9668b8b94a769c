import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startKeys } from './service.ts';

await runService({ name: 'keys', loadConfig, start: startKeys, migration });
