import { afterAll, beforeAll } from 'vitest';
import { describeImportSteps } from './describe-import-steps.ts';
import { describeJobs } from './describe-jobs.ts';
import { describeLists } from './describe-lists.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard and gateway for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
let gateway: TestGateway;
beforeAll(async () => {
  system = await startTestSystem();
  gateway = await startGatewayOf(system, { withLists: true });
});
afterAll(async () => {
  await gateway.stop();
  await system.stop();
});

describeLists(
  () => system,
  () => gateway,
);
describeImportSteps(() => system);
describeJobs(
  () => system,
  () => gateway,
);
