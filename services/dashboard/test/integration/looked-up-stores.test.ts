import { afterAll, beforeAll } from 'vitest';
import { describeStores } from './describe-stores.ts';
import { describeTryGraphql } from './describe-try-graphql.ts';
import { describeTryGraphqlBrowser } from './describe-try-graphql-browser.ts';
import { describeTryOut } from './describe-try-out.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** One running dashboard for these groups of tests, each with people and workspaces of its own. */
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system.stop());

describeStores(() => system);
describeTryOut(() => system);
describeTryGraphql(() => system);
describeTryGraphqlBrowser(() => system);
