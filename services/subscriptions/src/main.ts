import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startSubscriptions } from './service.ts';

await runService({ name: 'subscriptions', loadConfig, start: startSubscriptions, migration });
