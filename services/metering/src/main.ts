import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startMetering } from './service.ts';

await runService({ name: 'metering', loadConfig, start: startMetering, migration });
