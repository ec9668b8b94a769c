import { afterAll, beforeAll } from 'vitest';
import { describeChanges } from './describe-changes.ts';
import { describeWatchlists } from './describe-watchlists.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

describeWatchlists(() => system);
describeChanges(() => system);
