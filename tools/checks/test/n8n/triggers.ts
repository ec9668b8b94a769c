import { describe, expect, test } from 'vitest';
import { createClient } from '../../../../packages/client/src/index.ts';
import {
  type Position,
  readNewEvents,
} from '../../../../packages/n8n-nodes-shopscope/nodes/ShopscopePollingTrigger/read-events.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointExists,
} from '../../../../packages/n8n-nodes-shopscope/nodes/ShopscopeTrigger/endpoint.ts';
import type { DevEnv } from '../../../dev-env/src/index.ts';
import { apiOf, senderOf } from './context.ts';

/** What the triggers do at the service, against every service, with keys of the test tenant. */
export function describeTriggers(system: () => DevEnv): void {
  async function workspace() {
    const env = system();
    const { secret } = await env.createWorkspace({ plan: 'scale', environment: 'test' });
    const baseUrl = env.apiUrls[0] as string;
    const client = createClient({ apiKey: secret, baseUrl });
    const api = apiOf(baseUrl, senderOf(secret));
    const scan = async (domain: string) => {
      await client.requestScan(domain);
      await env.settle();
    };
    return { api, client, scan };
  }

  describe('the polling trigger', () => {
    test('the first poll reports nothing, and each later one what happened since the last, once', async () => {
      const { api, scan } = await workspace();
      await scan('matched.test');
      const read = async (position: Position) => {
        const { events, position: next } = await readNewEvents(api, position, 'scan.completed,scan.failed');
        return { domains: events.map(({ data }) => (data as { domain: string }).domain), next };
      };
      const first = await read({});
      expect(first.domains).toEqual([]);
      await scan('stale.test');
      await scan('unknown.test');
      const second = await read(first.next);
      expect(second.domains).toEqual(['stale.test', 'unknown.test']);
      const third = await read(second.next);
      expect(third.domains).toEqual([]);
      // The service refuses a cursor whose events it has deleted.
      const withRefusedCursor = await read({ ...first.next, cursor: 'refused' });
      expect(withRefusedCursor.domains).toEqual(second.domains);
    });
  });

  describe('the webhook of the trigger', () => {
    const settings = {
      url: 'http://127.0.0.1:1/webhook/1',
      eventTypes: ['signal.confirmed'],
      description: 'n8n: Changes',
      filters: { country: ['DE'] },
      watchlistIds: [],
    };
    let keys = 0;
    const newKey = () => `n8n-key-${keys++}`;

    test('the webhook is created once, recognized by its stored id, and deleted', async () => {
      const { api } = await workspace();
      const stored = await createEndpoint(api, settings, newKey);
      expect(stored.secret).toMatch(/^whsec_/);
      expect(await endpointExists(api, stored, settings.url)).toBe(true);
      await deleteEndpoint(api, stored.webhookId);
      await deleteEndpoint(api, stored.webhookId);
      expect(await endpointExists(api, stored, settings.url)).toBe(false);
    });

    test('a webhook that a person has paused stays, with the events that wait', async () => {
      const { api, client } = await workspace();
      const stored = await createEndpoint(api, settings, newKey);
      await client.updateWebhook(stored.webhookId, { state: 'paused' });
      expect(await endpointExists(api, stored, settings.url)).toBe(true);
      expect((await client.getWebhook(stored.webhookId)).state).toBe('paused');
    });

    test('a webhook with the URL whose secret is lost is deleted, and others stay', async () => {
      const { api } = await workspace();
      const lost = await createEndpoint(api, settings, newKey);
      const other = await createEndpoint(api, { ...settings, url: 'http://127.0.0.1:1/webhook/2' }, newKey);
      expect(await endpointExists(api, {}, settings.url)).toBe(false);
      const left = await api<{ data: { id: string }[] }>({ path: '/v1/webhooks' });
      expect(left.data.map(({ id }) => id)).toEqual([other.webhookId]);
      expect(left.data.map(({ id }) => id)).not.toContain(lost.webhookId);
    });

    test('a webhook whose first response was lost gets a new secret', async () => {
      const { api } = await workspace();
      const sameKey = newKey();
      const first = await createEndpoint(api, settings, () => sameKey);
      const second = await createEndpoint(api, settings, () => sameKey);
      expect(second.webhookId).toBe(first.webhookId);
      expect(second.secret).toMatch(/^whsec_/);
      expect(second.secret).not.toBe(first.secret);
    });
  });
}
