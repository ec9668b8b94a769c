import type { Environment } from '@shopscope/environment';
import { createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import { CompletedRequest, RequestsCompleted, requestsCompleted } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';

export function describeTestEnvironment(shared: () => TestSystem): void {
  describe('test environment', () => {
    let system: TestSystem;
    let kafka: Kafka;
    let producer: EventProducer;

    beforeAll(async () => {
      system = shared();
      kafka = createKafka(kafkaOptions(system.namespace));
      producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
    });
    afterAll(async () => {
      await producer.close();
      await kafka.close();
    });

    let workspaces = 0;

    async function startWorkspace() {
      workspaces += 1;
      const ann = await system.person(`Ann Admin ${workspaces}`);
      const { workspaceId } = await system.workspace('Acme', [{ id: ann.id, role: 'admin' }]);
      const paths = { live: `/workspaces/${workspaceId}`, test: `/workspaces/${workspaceId}-test` };
      return { workspaceId, paths, admin: await system.signIn(ann) };
    }

    const keyForm = { label: 'Import job', access: 'read_only', expires: 'none', expires_on: '' };

    describe('the test environment of a workspace', () => {
      it('every page of the test environment says so, and its links and forms stay in the test environment', async () => {
        const { admin, paths, workspaceId } = await startWorkspace();
        for (const page of [
          '',
          '/requests',
          '/usage',
          '/settings/keys',
          '/settings/keys/new',
          '/settings/test',
          '/webhooks',
        ]) {
          const html = await (await admin.get(paths.test + page)).text();
          expect(textOf(html), page).toContain('Test environment.');
          // The switches of workspaces and environments come before the navigation.
          const linking = html.slice(html.lastIndexOf('<nav aria-label="Main"'));
          const links = [...linking.matchAll(/(?:href|action)="(\/workspaces\/[^"/?#]+)/g)].map(([, path]) => path);
          expect(new Set(links), page).toEqual(new Set([paths.test]));
        }
        const live = await (await admin.get(paths.live)).text();
        expect(textOf(live)).not.toContain('Test environment.');
        expect(live).toContain(`href="/workspaces/${workspaceId}-test"`);
      });

      it('the switch leads to the same page of the navigation in the other environment', async () => {
        const { admin, paths } = await startWorkspace();
        const html = await (await admin.get(`${paths.live}/settings/keys/new`)).text();
        expect(html).toContain(`href="${paths.test}/settings/keys"`);
        const test = await (await admin.get(`${paths.test}/settings/test`)).text();
        expect(test).toContain(`href="${paths.live}"`);
      });

      it('a key that is created for the test environment is listed and opened there, and nowhere else', async () => {
        const { admin, paths, workspaceId } = await startWorkspace();
        const form = { ...keyForm, environment: 'test', request_token: 'a-token-of-a-form' };
        const html = await (await admin.submit(`${paths.live}/settings/keys/new`, form)).text();
        expect(html).toMatch(/<code[^>]*>svc_test_[0-9A-Za-z]{40}<\/code>/);
        const next = /href="([^"]*\/settings\/keys\/key_[0-9a-z]+)"/.exec(html)?.[1] as string;
        expect(next.startsWith(`${paths.test}/`)).toBe(true);
        expect(textOf(await (await admin.get(next)).text())).toContain('Import job');
        expect((await admin.get(next.replace(`${workspaceId}-test`, workspaceId))).status).toBe(404);
        const listed = async (environment: Environment) =>
          (await (await admin.get(`${paths[environment]}/settings/keys`)).text()).includes('Import job');
        expect([await listed('live'), await listed('test')]).toEqual([false, true]);
      });

      it('the request log of each environment has its own requests only', async () => {
        const { admin, paths, workspaceId } = await startWorkspace();
        const requestOf = (environment: Environment) =>
          CompletedRequest.fromPartial({
            requestId: `req_of_${environment}_requests`,
            keyId: 'key_1',
            keyPrefix: `svc_${environment}_abcd`,
            operation: 'getAccount',
            method: 'GET',
            path: '/v1/account',
            pathTemplate: '/v1/account',
            status: 200,
            startedAtMs: Date.now(),
            environment,
          });
        const publish = (topic: Environment, environment: Environment) =>
          producer.publish(
            requestsCompleted[topic],
            RequestsCompleted.fromPartial({ workspaceId, requests: [requestOf(environment)] }),
            { requestId: '', traceparent: '', environment: null },
          );
        // A request in the topic of the other environment is not stored.
        await publish('live', 'test');
        await publish('live', 'live');
        await publish('test', 'test');
        const ids = async (environment: Environment) => {
          const html = await (await admin.get(`${paths[environment]}/requests`)).text();
          return [...html.matchAll(/\/requests\/(req_of_\w+_requests)"/g)].map(([, id]) => id);
        };
        for (const environment of ['live', 'test'] as const) {
          await waitUntil(`the request of ${environment}`, async () => (await ids(environment)).length > 0);
          expect(new Set(await ids(environment))).toEqual(new Set([`req_of_${environment}_requests`]));
        }
      });

      it('the page of the test tenant exists in the test environment only, and stays closed to strangers', async () => {
        const { admin, paths } = await startWorkspace();
        expect((await admin.get(`${paths.live}/settings/test`)).status).toBe(404);
        const form = { intent: 'reset', request_token: 'a-token-of-a-form' };
        expect((await admin.submit(`${paths.live}/settings/test`, form)).status).toBe(404);
        const foreign = await system.signIn(await system.person('Finn Foreign'));
        expect((await foreign.get(`${paths.test}/settings/test`)).status).toBe(404);
      });

      it('the page of the test tenant refuses a form of an unknown intent', async () => {
        const { admin, paths } = await startWorkspace();
        const form = { intent: 'restore', request_token: 'a-token-of-a-form' };
        expect((await admin.submit(`${paths.test}/settings/test`, form)).status).toBe(404);
      });
    });
  });
}
