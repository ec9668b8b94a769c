import { afterAll, beforeAll } from 'vitest';
import { describeStores } from './describe-stores.ts';
import { describeTryGraphql } from './describe-try-graphql.ts';
import { describeTryGraphqlBrowser } from './describe-try-graphql-browser.ts';
import { describeTryOut } from './describe-try-out.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard and gateway for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
let gateway: TestGateway;
beforeAll(async () => {
  system = await startTestSystem();
  gateway = await startGatewayOf(system);
});
afterAll(async () => {
  await gateway.stop();
  await system.stop();
});

describeStores(
  () => system,
  () => gateway,
);
describeTryOut(
  () => system,
  () => gateway,
);
describeTryGraphql(
  () => system,
  () => gateway,
);
describeTryGraphqlBrowser(
  () => system,
  () => gateway,
);
