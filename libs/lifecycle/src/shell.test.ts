import { expect, it } from 'vitest';
import { startShell } from './shell.ts';

it('a stopping service ends its readiness first, and still serves during the drain delay', async () => {
  const config = { HOST: '127.0.0.1', ADMIN_PORT: 0, INSTANCE_ID: 'one', LOG_LEVEL: 'silent', DRAIN_DELAY_MS: 150 };
  const shell = await startShell({ name: 'test', config });
  shell.markReady();
  const readiness = async () => (await fetch(`${shell.adminUrl}/readyz`)).status;
  expect(await readiness()).toBe(200);
  const stopped: string[] = [];
  shell.resources.onStop('server', () => void stopped.push('server'));
  shell.resources.onStop('readiness', async () => {
    const draining = shell.drain();
    expect(await readiness()).toBe(503);
    expect(stopped).toEqual([]);
    await draining;
  });
  await shell.resources.stop();
  expect(stopped).toEqual(['server']);
});
