import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startDashboard } from './service.ts';

await runService({ name: 'dashboard', loadConfig, start: startDashboard, migration });
