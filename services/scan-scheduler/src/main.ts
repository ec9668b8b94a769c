import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startScanScheduler } from './service.ts';

await runService({ name: 'scan-scheduler', loadConfig, start: startScanScheduler, migration });
