import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { startScanner } from './service.ts';

await runService({ name: 'scanner', loadConfig, start: startScanner });
