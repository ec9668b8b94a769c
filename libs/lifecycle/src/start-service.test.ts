import { describe, expect, it } from 'vitest';
import { startService } from './index.ts';

const config = { HOST: '127.0.0.1', ADMIN_PORT: 0, INSTANCE_ID: 'one', LOG_LEVEL: 'silent', DRAIN_DELAY_MS: 0 };
const pending = async () => 0;

describe('startService', () => {
  it('startService stops the resources created so far, the last one first, when a later start step fails', async () => {
    const stopped: string[] = [];
    const starting = startService({ name: 'test', config }, {}, async ({ resources }) => {
      for (const name of ['database', 'consumer']) resources.onStop(name, () => stopped.push(name));
      throw new Error('no server');
    });
    await expect(starting).rejects.toThrow('no server');
    expect(stopped).toEqual(['consumer', 'database']);
  });

  it('a service that stops ends readiness before its first resource stops', async () => {
    const readiness: number[] = [];
    const service = await startService({ name: 'test', config }, {}, async ({ resources, adminUrl, markReady }) => {
      resources.onStop('server', async () => readiness.push((await fetch(`${adminUrl}/readyz`)).status));
      markReady();
      return { pending };
    });
    expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
    await service.stop();
    expect(readiness).toEqual([503]);
  });
});
