import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { startSubscriptions } from './service.ts';

await runService({ name: 'subscriptions', loadConfig, start: startSubscriptions });
