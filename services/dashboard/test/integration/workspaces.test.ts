import { afterAll, beforeAll } from 'vitest';
import { describeKeys } from './describe-keys.ts';
import { describeNamesBrowser } from './describe-names-browser.ts';
import { describeOverview } from './describe-overview.ts';
import { describeRequestLog } from './describe-request-log.ts';
import { describeTestEnvironment } from './describe-test-environment.ts';
import { describeUsage } from './describe-usage.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

describeKeys(() => system);
describeUsage(() => system);
describeOverview(() => system);
describeRequestLog(() => system);
describeTestEnvironment(() => system);
describeNamesBrowser(() => system);
