import { afterAll, beforeAll } from 'vitest';
import { describeImportSteps } from './describe-import-steps.ts';
import { describeJobs } from './describe-jobs.ts';
import { describeLists } from './describe-lists.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

describeLists(() => system);
describeImportSteps(() => system);
describeJobs(() => system);
