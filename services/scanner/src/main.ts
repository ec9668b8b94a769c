import { runService } from '@shopscope/lifecycle';
import { loadConfig, startScanner } from './index.ts';

await runService({
  name: 'scanner',
  loadConfig,
  start: (config, context) => startScanner(config, { ...context, processMetrics: true }),
});
