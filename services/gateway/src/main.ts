import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startGateway } from './wiring/start-gateway.ts';

await runService({ name: 'gateway', loadConfig, start: startGateway, migration });
