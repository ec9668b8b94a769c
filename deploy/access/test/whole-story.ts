import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Secured } from './secured.ts';

const patience = { timeout: 60_000, interval: 200 };

export function describeWholeStory(secured: () => Secured): void {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  const bodyOf = async (response: Response): Promise<any> => response.json();

  describe('whole system under its own credentials', () => {
    let env: DevEnv;
    let key: { workspaceId: string; secret: string; keyId: string };
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${env.apiUrls[0]}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json', ...init.headers },
      });

    beforeAll(async () => {
      env = await startDevEnv({
        label: 'secured',
        dashboard: true,
        envOf: (service) => secured().environmentOf(service),
      });
      key = await env.createWorkspace();
    }, 180_000);
    afterAll(() => env?.stop(), 60_000);

    it('a system with credentials per service completes a scan, a look-up, its billing and an idempotent replay', async () => {
      const domain = env.demoStores.domains[0]?.domain ?? '';
      const request = {
        method: 'POST',
        body: JSON.stringify({ domains: [domain], refresh: true }),
        headers: { 'idempotency-key': 'the-secured-story' },
      };
      // Redis or a called service may exceed its time bound. A retry with the same key then repeats the same request.
      const enrich = () => call('/v1/stores/enrich', request);
      await vi.waitFor(async () => {
        expect(await bodyOf(await enrich())).toMatchObject({
          billed: { lookup_live: 1 },
          results: [{ scan_requested: true }],
        });
      }, patience);
      await vi.waitFor(async () => expect((await enrich()).headers.get('idempotent-replayed')).toBe('true'), patience);
      await env.settle(120_000);
      await vi.waitFor(async () => {
        const read = await call(`/v1/stores/${domain}`);
        expect([read.status, (await bodyOf(read)).store?.domain]).toEqual([200, domain]);
      }, patience);
      await env.settle(60_000);
      const { period } = await bodyOf(await call('/v1/usage'));
      expect(period.used).toMatchObject({ lookup_cached: 1, lookup_live: 1 });
    });

    it('a system with credentials per service reports a revocation to the gateway and a healthy state of each service', async () => {
      expect((await call('/v1/account')).status).toBe(200);
      for (const { name, adminUrl } of env.services) {
        await vi.waitFor(
          async () => expect([name, (await fetch(`${adminUrl}/readyz`)).status]).toEqual([name, 200]),
          patience,
        );
      }
      const { workspaceId, keyId } = key;
      await env.keys.revokeKey({ workspaceId, keyId, actor: 'operator:test', actorAddress: '' });
      await vi.waitFor(async () => expect((await call('/v1/account')).status).toBe(401), patience);
      const gateway = env.services.find(({ name }) => name === 'gateway');
      const metrics = await (await fetch(`${gateway?.adminUrl}/metrics`)).text();
      expect(metrics).toMatch(/kafka_consumed_total\{[^}]*topic="key-events.v1"[^}]*outcome="handled"[^}]*\} [1-9]/);
    });
  });
}
