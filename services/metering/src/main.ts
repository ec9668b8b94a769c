import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { startMetering } from './service.ts';

await runService({ name: 'metering', loadConfig, start: startMetering });
