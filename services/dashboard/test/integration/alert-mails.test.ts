import { dayMs, hourMs, ManualClock, minuteMs } from '@shopscope/clock';
import { type Endpoint, EndpointState } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Mail } from '../../src/app/outbound/send-mail.ts';
import type { Dependencies } from '../../src/app/wiring/dependencies.ts';
import { sendAlertMails } from '../../src/webhooks/operations/send-alert-mails.ts';
import { createAlertMailStore } from '../../src/webhooks/outbound/alert-mails.ts';

const namespace = testNamespace('mails');
const alert = { id: 'evt_1', workspaceId: 'ws_1', endpointId: 'whk_1', kind: 'failing' as const };
const endpoint = { id: 'whk_1', url: 'https://a.example/hook', state: EndpointState.ACTIVE, failingSinceMs: 1 };
const { signal } = new AbortController();

let mongo: MongoClient;
let clock: ManualClock;
let alertMails: ReturnType<typeof createAlertMailStore>;
let sent: string[];
let failure: Error | undefined;
let isAllowed: boolean;

beforeAll(async () => {
  mongo = await MongoClient.connect(namespace.mongoUrl);
});
afterAll(async () => {
  await mongo.close();
  await namespace.cleanup();
});
beforeEach(async () => {
  const db = mongo.db(namespace.databaseName('dashboard'));
  await db.dropDatabase();
  clock = new ManualClock();
  alertMails = createAlertMailStore(db);
  [sent, failure, isAllowed] = [[], undefined, true];
});

const now = () => new Date(clock.now());

/** The dependencies of the sender, on the real database. */
const deps = () =>
  ({
    alertMails,
    clock,
    url: 'https://dashboard.example',
    team: { findMembership: async () => ({ role: 'admin', name: 'Acme' }) },
    people: { findById: async (id: string) => ({ email: `${id}@a.example` }) },
    webhooks: {
      getEndpoint: async () => ({ endpoint: endpoint as Endpoint }),
      listDeliveries: async () => ({ deliveries: [], hasMore: false }),
    },
    throttle: { allows: async () => isAllowed },
    async sendMail({ to }: Mail) {
      if (failure) throw failure;
      sent.push(to);
    },
  }) as unknown as Dependencies;

it('a mail that the mail server did not accept is sent when the server is back, once', async () => {
  await alertMails.add(alert, ['ann'], now());
  failure = new Error('the mail server is down');
  for (const pauseMs of [minuteMs, 2 * minuteMs, 4 * minuteMs]) {
    await expect(sendAlertMails(deps(), signal)).rejects.toThrow('the mail server is down');
    clock.advance(pauseMs - 1);
    // Nothing is due before the pause has ended.
    await sendAlertMails(deps(), signal);
    clock.advance(1);
  }
  failure = undefined;
  await sendAlertMails(deps(), signal);
  await sendAlertMails(deps(), signal);
  await alertMails.add(alert, ['ann'], now());
  await sendAlertMails(deps(), signal);
  expect(sent).toEqual(['ann@a.example']);
});

it('a mail waits at most six hours for its next attempt', async () => {
  await alertMails.add(alert, ['ann'], now());
  failure = new Error('the mail server is down');
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await expect(sendAlertMails(deps(), signal)).rejects.toThrow();
    clock.advance(6 * hourMs);
  }
  failure = undefined;
  await sendAlertMails(deps(), signal);
  expect(sent).toHaveLength(1);
});

it('one mail that cannot be sent does not hold up the others', async () => {
  await alertMails.add(alert, ['ann'], now());
  failure = new Error('the mail server refuses this recipient for now');
  await expect(sendAlertMails(deps(), signal)).rejects.toThrow();
  failure = undefined;
  await alertMails.add(alert, ['bob'], now());
  await sendAlertMails(deps(), signal);
  expect(sent).toEqual(['bob@a.example']);
});

it('a mail to an address that does not exist is not tried again', async () => {
  await alertMails.add(alert, ['ann'], now());
  failure = Object.assign(new Error('refused'), { command: 'RCPT TO', response: '550 5.1.1 unknown' });
  await expect(sendAlertMails(deps(), signal)).rejects.toThrow();
  failure = undefined;
  clock.advance(dayMs);
  await sendAlertMails(deps(), signal);
  expect(sent).toEqual([]);
});

it('a mail to a mailbox that got too many waits for an hour', async () => {
  await alertMails.add(alert, ['ann'], now());
  isAllowed = false;
  await sendAlertMails(deps(), signal);
  isAllowed = true;
  clock.advance(hourMs - 1);
  await sendAlertMails(deps(), signal);
  expect(sent).toEqual([]);
  clock.advance(1);
  await sendAlertMails(deps(), signal);
  expect(sent).toHaveLength(1);
});

it('a mail of an instance that was killed is sent by another one after its lease', async () => {
  await alertMails.add(alert, ['ann'], now());
  const leaseMs = 2 * minuteMs;
  expect(await alertMails.take(now(), leaseMs)).toMatchObject({ userId: 'ann' });
  await sendAlertMails(deps(), signal);
  expect(sent).toEqual([]);
  clock.advance(leaseMs);
  await sendAlertMails(deps(), signal);
  expect(sent).toHaveLength(1);
});
