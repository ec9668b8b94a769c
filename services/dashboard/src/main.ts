import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { startDashboard } from './service.ts';

await runService({ name: 'dashboard', loadConfig, start: startDashboard });
