import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { afterAll, beforeAll } from 'vitest';
import { describeReceivers } from './describe-receivers.ts';
import { describeReference } from './describe-reference.ts';
import { describeSamples } from './describe-samples.ts';

/** One running system for the samples and receivers of all guides and of the reference, each with workspaces of its own. */
let env: DevEnv;
beforeAll(async () => {
  env = await startDevEnv({ label: 'guides', dashboard: true, search: true });
});
afterAll(() => env?.stop());

describeSamples(() => env);
describeReference(() => env);
describeReceivers(() => env);
