import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@shopscope/client';
import type { DevEnv } from '@shopscope/dev-env';
import { nightlyUnless, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../../../packages/cli/test/receiver.ts';
import { forwarding } from '../../../packages/client/test/forwarding.ts';
import { type ScriptedService, startScriptedService } from '../../../packages/client/test/scripted-service.ts';
import { findPython, type Python } from '../../../packages/client-python/test/python.ts';
import type { Openapi } from '../../../services/dashboard/src/documentation/domain/openapi.ts';
import { familiesOf, type Operation } from '../../../services/dashboard/src/documentation/domain/reference.ts';
import { samplesOf } from '../../../services/dashboard/src/documentation/domain/request-samples.ts';
import { guidesFolder } from '../src/guide.ts';
import { run, type SampleFolder } from './sample-folder.ts';

const contract = JSON.parse(readFileSync(join(guidesFolder, '../openapi.json'), 'utf8')) as Openapi;
const operations = familiesOf(contract).flatMap((family) => family.operations);
const byId = (of: readonly Operation[]) => of.map((operation) => [operation.id, operation] as const);
const served = operations.filter(({ isServed }) => isServed);
const python = findPython();
/**
 * By day, the first operation of each method and status runs in TypeScript and Python. Of the others, curl sends the request if it has a
 * body, and the compilers check the samples.
 */
const kindOf = ({ method, successes }: Operation) => `${method} ${successes.map(({ status }) => status).join()}`;
const standsForOthers = (operation: Operation) =>
  served.find((each) => kindOf(each) === kindOf(operation)) === operation;

/** The samples of the reference, against one running system with a key of the test tenant. A proxy records what they send and what comes back. */
export function describeReference(system: () => DevEnv, folder: SampleFolder): void {
  describe('samples of the reference', () => {
    let env: DevEnv;
    let proxy: ScriptedService;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    /** The operations of the test tenant have a workspace of their own, because they remove and exhaust what other samples need. */
    let variablesOf: (operation: Operation) => Record<string, string>;
    /** Writes the samples of an operation. */
    let write: (
      operation: Operation,
      ids?: { jobId?: string; listId?: string; watchlistId?: string; webhookId?: string },
    ) => void;
    /** Makes what the next run of a sample deletes. */
    let prepare: (operation: Operation) => Promise<void>;
    let answered: { method: string; path: string | undefined; status: number }[] = [];

    beforeAll(async () => {
      env = system();
      const newKey = async () => (await env.createWorkspace({ environment: 'test' })).secret;
      const [apiKey, otherKey, baseUrl] = [await newKey(), await newKey(), env.apiUrls[0] as string];
      variablesOf = ({ path }) => ({ SHOPSCOPE_API_KEY: path.startsWith('/v1/test/') ? otherKey : apiKey });
      const { forward } = forwarding(baseUrl);
      proxy = await startScriptedService([
        async (received, response) => {
          await forward(received, response);
          const { method, url } = received;
          answered.push({ method, path: url.split('?')[0], status: response.statusCode });
        },
      ]);
      const client = createClient({ apiKey, baseUrl });
      // A receiver of webhooks on this machine.
      receiver = await startReceiver([]);
      const newWebhook = async () =>
        (await client.createWebhook({ url: receiver.url, event_types: ['scan.completed'] })).id;
      const webhookId = await newWebhook();
      const { id } = await client.requestScan('matched.test');
      await client.waitForJob(id);

      const exported = await client.exportStores({ format: 'csv', max_units: { lookup_cached: 2_000 } });
      await client.waitForJob(exported.id);

      const newList = async () => (await client.createList({ name: 'Samples' })).id;
      const newWatchlist = async () => (await client.createWatchlist({ name: 'Samples' })).id;
      const shared = { jobId: id, listId: await newList(), watchlistId: await newWatchlist(), webhookId };
      const deliveryId = await waitUntil('the scan is delivered', async () => {
        const { data } = await client.listDeliveries({ state: 'succeeded' });
        return data[0]?.id;
      });
      write = (operation, ids = {}) => {
        const { jobId, listId, watchlistId, webhookId } = { ...shared, ...ids };
        const filled = (sample: string) =>
          sample
            .replaceAll('shop.example', 'matched.test')
            .replaceAll(/job_01k\w+/g, jobId)
            .replaceAll(/lst_01k\w+/g, listId)
            .replaceAll(/wl_01k\w+/g, watchlistId)
            .replaceAll(/whk_01k\w+/g, webhookId)
            .replaceAll(/dlv_01k\w+/g, deliveryId)
            .replaceAll(/https:\/\/hooks\.example[\w/]*/g, receiver.url);
        const { sh, ts, python } = samplesOf(operation, proxy.url.replace(/\/$/, ''));
        folder.write(`${operation.id}.sh`, filled(sh));
        folder.write(`${operation.id}.mts`, `${filled(ts)}\nexport {};\n`);
        folder.write(`${operation.id}.py`, filled(python));
      };
      for (const operation of operations) write(operation);
      prepare = async (operation) => {
        const domains = ['matched.test'];
        if (operation.id === 'getJobPart') write(operation, { jobId: exported.id });
        if (operation.id === 'deleteList') write(operation, { listId: await newList() });
        if (operation.id === 'deleteWatchlist') write(operation, { watchlistId: await newWatchlist() });
        if (operation.id === 'deleteWebhook') write(operation, { webhookId: await newWebhook() });
        // The sample of updateWebhook pauses it.
        if (operation.id === 'retryDelivery') await client.updateWebhook(webhookId, { state: 'active' });
        if (operation.id === 'removeListStore') await client.addListStores(shared.listId, { domains });
        if (operation.id === 'removeWatchlistStore') await client.addWatchlistStores(shared.watchlistId, { domains });
      };
    });
    afterAll(async () => {
      await proxy?.[Symbol.asyncDispose]();
      await receiver?.[Symbol.asyncDispose]();
    });

    /** Runs a sample. Its requests, of a list one for each page, must have the documented path and get the documented status. */
    async function expectAnswer(operation: Operation, runSample: () => Promise<unknown>) {
      const { method, path, isServed, successes } = operation;
      await prepare(operation);
      answered = [];
      await runSample();
      const statuses = isServed ? successes.flatMap(({ status }) => (status < 300 ? [status] : [])) : [501];
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      expect(answered.length).toBeGreaterThan(0);
      for (const { status, ...each } of answered) {
        expect(each).toEqual({ method, path: expect.stringMatching(pattern) });
        expect(statuses).toContain(status);
      }
    }

    for (const [id, operation] of byId(operations)) {
      const title = `the curl sample of ${id} in the reference gets the documented status`;
      test(title, nightlyUnless(standsForOthers(operation) || operation.body !== undefined), () =>
        expectAnswer(operation, () =>
          run('bash', ['-eu', join(folder.path, `${id}.sh`)], { env: { ...process.env, ...variablesOf(operation) } }),
        ),
      );
    }

    for (const [id, operation] of byId(served)) {
      const title = `the TypeScript sample of ${id} in the reference gets the documented status`;
      test(title, nightlyUnless(standsForOthers(operation)), () =>
        expectAnswer(operation, () => folder.runTypeScript(`${id}.mts`, variablesOf(operation))),
      );
    }

    describe('Python', () => {
      const { runIn } = python as Python;

      for (const [id, operation] of byId(served)) {
        const title = `the Python sample of ${id} in the reference gets the documented status`;
        test.skipIf(typeof python === 'string')(title, nightlyUnless(standsForOthers(operation)), () =>
          expectAnswer(operation, () => runIn(folder.path, [id], { ...variablesOf(operation), ...folder.pythonPath })),
        );
      }
    });
  });
}
