import { afterAll, beforeAll } from 'vitest';
import { describeDeliveries } from './describe-deliveries.ts';
import { describeDeliveriesBrowser } from './describe-deliveries-browser.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

describeDeliveries(() => system);
describeDeliveriesBrowser(() => system);
