import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { startKeys } from './service.ts';

await runService({ name: 'keys', loadConfig, start: startKeys });
