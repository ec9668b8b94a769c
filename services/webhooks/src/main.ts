import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startWebhooks } from './service.ts';

await runService({ name: 'webhooks', loadConfig, start: startWebhooks, migration });
