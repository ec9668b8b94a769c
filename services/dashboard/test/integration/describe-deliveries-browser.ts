import {
  chromiumPath,
  launchBrowser,
  newPage,
  openPage,
  seriousViolations,
  showIn,
  signIn,
  viewports,
} from '@shopscope/browser';
import { deriveId } from '@shopscope/ids';
import { ReplayScope } from '@shopscope/proto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlertStore } from '../../src/webhooks/outbound/alerts.ts';
import type { TestGateway } from './support/gateway.ts';
import type { TestSystem } from './support/system.ts';
import { viewportsInTurn } from './support/viewports.ts';
import { addFailedDelivery, type TestWebhooks } from './support/webhooks.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeDeliveriesBrowser(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('deliveries browser', () => {
    const chromium = chromiumPath(process.env.PATH ?? '');
    const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };

    /** Answers that are hard to show. */
    const excerpts = [
      '',
      '<script>alert("x")</script>',
      `{"error":"${'x'.repeat(300)}"}`,
      'خطأ في الخادم \u202e reversed',
      'Line\n'.repeat(40),
    ];

    describe.skipIf(!chromium)('deliveries in a browser', () => {
      const nextViewports = viewportsInTurn(viewports);
      let system: TestSystem;
      let browser: Browser;
      let page: Page;
      let home: string;
      let paths: Record<string, string>;

      beforeAll(async () => {
        system = shared();
        const webhooks = sharedGateway().webhooks as TestWebhooks;
        const { client } = webhooks;
        const world = await startStoresWorkspace(system);
        const { workspaceId } = world;
        home = system.url + world.home;
        const url = `http://127.0.0.1:1/hooks/${'a-long-path/'.repeat(20)}?token=secret`;
        const members = { url, eventTypes: ['scan.completed', 'scan.failed'], description: '', watchlistIds: [] };
        const headers = [{ name: 'x-own-header', value: 'secret' }];
        const { endpoint } = await client.createEndpoint(
          {
            workspaceId,
            quota: 5,
            requestToken: '',
            members: { ...members, headers, filters: undefined, maxPerMinute: undefined },
          },
          { origin },
        );
        const endpointId = endpoint?.id ?? '';
        const failed = { id: deriveId('dlv', 'long'), workspaceId, endpointId, excerpts };
        await addFailedDelivery(system, failed);
        for (const name of ['b', 'c']) {
          await addFailedDelivery(system, { ...failed, id: deriveId('dlv', name), excerpts: ['Not Found'] });
        }
        await webhooks.fail(endpointId);
        await createAlertStore(system.db).add(
          { id: 'evt_1', workspaceId, endpointId, kind: 'failing' },
          new Date('2026-01-15T12:00:00Z'),
        );
        const span = {
          fromMs: Date.now() - 3_600_000,
          toMs: Date.now(),
          scope: ReplayScope.ALL,
          eventTypes: [],
          requestToken: '',
        };
        const { job } = await client.replay({ workspaceId, endpointId, ...span }, { origin });
        paths = {
          deliveries: '/webhooks/deliveries',
          filtered: `/webhooks/deliveries?webhook=${endpointId}&state=failed&time=24h`,
          empty: '/webhooks/deliveries?state=pending',
          delivery: `/webhooks/deliveries/${failed.id}`,
          replay: `/webhooks/${endpointId}/replay`,
          job: `/jobs/${job?.id}`,
          jobs: '/jobs',
        };
        browser = await launchBrowser(chromium as string);
        page = await newPage(browser, viewports[0] as (typeof viewports)[number]);
        await signIn(page, system.url, world.ann);
      }, 300_000);
      afterAll(async () => {
        await browser?.close();
      });

      const names = ['deliveries', 'filtered', 'empty', 'delivery', 'replay', 'job', 'jobs'];
      it.each(names)(
        'pages of deliveries fit into the window and have no serious fault for screen readers: %s',
        async (name) => {
          await openPage(page, home + paths[name]);
          for (const viewport of nextViewports()) {
            await showIn(page, viewport);
            const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
            expect([viewport.name, await page.evaluate(overflow)]).toEqual([viewport.name, 0]);
            expect([viewport.name, await seriousViolations(page)]).toEqual([viewport.name, []]);
          }
        },
      );
    });
  });
}
