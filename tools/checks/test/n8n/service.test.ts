import { afterAll, beforeAll, describe } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../dev-env/src/index.ts';
import { describeOperations } from './operations.ts';
import { describeTriggers } from './triggers.ts';

/** The services start once for all tests of the node. Each test has a workspace of its own. */
describe('node of n8n and the services', { tags: ['nightly'] }, () => {
  let env: DevEnv;
  beforeAll(async () => {
    env = await startDevEnv({ label: 'n8n', search: true });
  });
  afterAll(() => env?.stop());

  describeOperations(() => env);
  describeTriggers(() => env);
});
