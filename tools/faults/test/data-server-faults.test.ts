import { describe } from 'vitest';
import { canRunNatively, runShortForm } from './short-form.ts';

describe.skipIf(!canRunNatively)('the history of the clients equals ledger, usage and jobs', () =>
  runShortForm(['redis-flushall', 'redis-kill', 'mongod-kill', 'kafka-kill']),
);
