import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPython, type Python } from '../../../packages/client-python/test/python.ts';
import { describeReceivers } from './describe-receivers.ts';
import { describeReference } from './describe-reference.ts';
import { describeSamples } from './describe-samples.ts';
import { createSampleFolder } from './sample-folder.ts';

/**
 * One running system and one folder for the samples and receivers of all guides and of the reference. Each of the three parts has workspaces
 * of its own.
 */
let env: DevEnv;
const folder = createSampleFolder();
beforeAll(async () => {
  env = await startDevEnv({ label: 'guides', dashboard: true, search: true });
});
afterAll(async () => {
  folder.remove();
  await env?.stop();
});

describeSamples(() => env, folder);
describeReference(() => env, folder);
describeReceivers(() => env, folder);

/** The parts above have written the files. */
describe('types', () => {
  const python = findPython();
  const isReceiver = (name: string) => name.startsWith('receiver_');
  async function checkPython(files: string[]): Promise<void> {
    const args = ['mypy', '--strict', ...files];
    await expect((python as Python).runIn(folder.path, args, folder.mypyPath)).resolves.toContain('no issues found');
  }

  test('the samples of the guides and of the reference, and the receivers, are typed in TypeScript', () =>
    folder.checkTypeScript());

  test.skipIf(typeof python === 'string')('the samples of the guides and of the reference are typed in Python', () =>
    checkPython(folder.written('.py').filter((name) => !isReceiver(name))),
  );

  // FastAPI, which a receiver imports, has so many types that their check takes long.
  test.skipIf(typeof python === 'string')('the receivers are typed in Python', { tags: ['nightly'] }, () =>
    checkPython(folder.written('.py').filter(isReceiver)),
  );
});
