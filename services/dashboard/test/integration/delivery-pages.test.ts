import { afterAll, beforeAll } from 'vitest';
import { describeDeliveries } from './describe-deliveries.ts';
import { describeDeliveriesBrowser } from './describe-deliveries-browser.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard and gateway for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
let gateway: TestGateway;
beforeAll(async () => {
  system = await startTestSystem();
  gateway = await startGatewayOf(system, { withLists: true, withWebhooks: true });
});
afterAll(async () => {
  await gateway.stop();
  await system.stop();
});

describeDeliveriesBrowser(
  () => system,
  () => gateway,
);
// Its last test stops subscriptions.
describeDeliveries(
  () => system,
  () => gateway,
);
