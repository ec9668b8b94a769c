import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { startScanScheduler } from './service.ts';

await runService({ name: 'scan-scheduler', loadConfig, start: startScanScheduler });
