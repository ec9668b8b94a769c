import { randomUUID } from 'node:crypto';
import { type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { nightlyUnless, waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { collectEvents, endLocks, startTestGateway, type TestGateway } from './support/gateway.ts';
import { sendUntilLost, startGatewayProcess } from './support/gateway-process.ts';
import { call } from './support/http.ts';

let survivor: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;
let mongo: MongoClient;
beforeAll(async () => {
  survivor = await startTestGateway();
  const { backends, namespace } = survivor;
  usage = await collectEvents(namespace, usageRecorded.live);
  mongo = await MongoClient.connect(namespace.mongoUrl);
  backends.addStore('shop.example');
  backends.signals.push({
    id: 'evt_1',
    type: 'technology_added',
    technology: 'klaviyo',
    from: undefined,
    to: 'active',
    confidence: 'high',
    effectiveAtMs: Date.now() - 60_000,
    confirmedAtMs: Date.now() - 60_000,
    domain: 'shop.example',
    storefrontId: 'sf_1',
    retractedAtMs: undefined,
    retractedReason: undefined,
  });
});
afterAll(async () => {
  await mongo?.close();
  await usage?.stop();
  await survivor?.stop();
});

interface Step {
  step: string;
  /** The process is killed before the line with this text. */
  file: string;
  text: string;
  /** The documents that are billed although the caller got no answer. */
  billed: 0 | 1;
  standsForOthers?: true;
}

const answer = 'endpoints/graphql/answer-document.ts';
const charge = 'charging/src/charge-units.ts';
/** The steps of a document, in their order. */
const steps: Step[] = [
  {
    step: 'it is parsed',
    file: 'endpoints/graphql/parse-document.ts',
    text: 'const document = parse(source);',
    billed: 0,
  },
  { step: 'it is planned', file: 'endpoints/graphql/plan-document.ts', text: 'const nodes = countAtMost(', billed: 0 },
  { step: 'its data is read', file: answer, text: '// Step 1: the data.', billed: 0 },
  { step: 'its data is encoded', file: answer, text: '// Step 2: the body.', billed: 0 },
  { step: 'its units are reserved', file: answer, text: '// Step 3: the charge.', billed: 0 },
  { step: 'its charge is committed', file: charge, text: '// Step 3: the commit.', billed: 0, standsForOthers: true },
  {
    step: 'its event is durable',
    file: charge,
    text: '// Step 4: the response. The caller',
    billed: 1,
    standsForOthers: true,
  },
  { step: 'its response is made', file: answer, text: '// Step 4: the response.', billed: 1 },
];
const stored: Step = {
  step: 'its response is stored, and before it is sent',
  file: 'idempotency/run-once.ts',
  text: "deps.onIdempotentRequest(finished === 'stored'",
  billed: 1,
};

const times = (count: number) => ({ lookupCached: count, historyQuery: count });
const body = { query: '{ store(domain: "shop.example") { match } signals(first: 1) { edges { cursor } } }' };

/** Sends a document to a gateway that is killed at the step. Resolves when the gateway has ended. */
async function sendAndKill({ file, text }: Step, key: string, headers: Record<string, string>): Promise<void> {
  const preload = new URL('./support/kill-at.ts', import.meta.url);
  preload.search = new URLSearchParams({ file, text }).toString();
  const doomed = await startGatewayProcess({ backends: survivor.backends, preload: preload.href });
  onTestFinished(doomed.kill);
  await sendUntilLost(() => call(doomed, '/v1/graphql', { key, body, headers }));
  await doomed.kill();
}

/** Expects that ledger and events have as many charges of the workspace, and the answer to GET /v1/usage as many units. */
async function expectBilled(workspaceId: string, key: string, count: number): Promise<void> {
  const { metering } = survivor.backends;
  await metering.used(workspaceId, times(count));
  const ledger = mongo.db(metering.namespace.databaseName('metering')).collection('ledger');
  const entries = await ledger.find({ workspaceId, kind: 'charge' }).toArray();
  expect(entries.map((entry) => entry.units)).toEqual(Array(count).fill(times(1)));
  // A retry may publish the event of the same charge again.
  const charges = usage.events.filter(({ event }) => event.workspaceId === workspaceId);
  expect(new Set(charges.map(({ event }) => event.chargeId)).size).toBe(count);
  const { body: shown } = await call(survivor, '/v1/usage', { key });
  expect(shown.by_key).toMatchObject([{ used: { lookup_cached: count, history_query: count } }]);
}

describe('killed gateways', { tags: ['wall-clock'] }, () => {
  for (const step of [...steps, stored]) {
    it(`a document whose gateway is killed before ${step.step} is billed once, when it is sent again with its Idempotency-Key`, {
      timeout: 180_000,
      ...nightlyUnless(step.standsForOthers === true),
    }, async () => {
      const { backends } = survivor;
      const { secret, workspaceId } = backends.addKey({ scopes: ['read:stores', 'read:signals'] });
      const headers = { 'Idempotency-Key': randomUUID() };
      await sendAndKill(step, secret, headers);

      const send = () => call(survivor, '/v1/graphql', { key: secret, body, headers });
      // The lock of the killed execution would end within 15 s.
      for (const leftMs of await endLocks(survivor.namespace, workspaceId)) expect(leftMs).toBeLessThanOrEqual(15_000);
      const succeed = async () => {
        const response = await send();
        if (response.status === 200) return response;
        expect([response.status, response.body.error.code]).toEqual([503, 'unavailable']);
        return undefined;
      };
      const response = await waitUntil('the document to run again', succeed, { timeoutMs: 60_000, intervalMs: 200 });
      expect(response.headers.get('idempotent-replayed')).toBe(step === stored ? 'true' : null);
      expect(response.body.extensions.cost.billed).toEqual({ lookup_cached: 1, history_query: 1 });
      const again = await send();
      expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', response.text]);
      // The attempt of the killed gateway does not hold units either.
      await backends.metering.counted(workspaceId, times(1));
      await expectBilled(workspaceId, secret, 1);
    });
  }

  for (const step of steps) {
    it(`a document without an Idempotency-Key whose gateway is killed before ${step.step} is billed ${step.billed === 1 ? 'once' : 'not at all'}`, {
      timeout: 180_000,
      ...nightlyUnless(step.standsForOthers === true),
    }, async () => {
      const { secret, workspaceId } = survivor.backends.addKey({ scopes: ['read:stores', 'read:signals'] });
      await sendAndKill(step, secret, {});
      // The events of a workspace are counted in their order, so this one comes after that of the killed gateway.
      const next = await call(survivor, '/v1/graphql', { key: secret, body });
      expect(next.body.extensions?.cost.billed).toEqual({ lookup_cached: 1, history_query: 1 });
      await expectBilled(workspaceId, secret, step.billed + 1);
    });
  }
});
