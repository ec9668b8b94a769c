import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startScanner } from './service.ts';

await runService({ name: 'scanner', loadConfig, start: startScanner, migration });
