import { ManualClock } from '@shopscope/clock';
import { KeyStatus, KeyUse } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  by,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
  statusOf,
} from './harness.ts';

describe('dashboard key', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let client: KeysClient;
  let other: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('dashboard-key', clock);
    client = (await harness.start()).client;
    other = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    workspaceId = await newWorkspace(client);
  });

  const issue = (over: { switchOn?: boolean; environment?: string } = {}, of = client) =>
    of.issueDashboardKey({ workspaceId, switchOn: false, ...by, ...over });
  const dashboardKeyOf = async () => (await list()).find(({ use }) => use === KeyUse.DASHBOARD);
  const list = async () => (await client.listKeys({ workspaceId, includeInactive: true })).keys;

  it('the key of the dashboard reads stores, requests scans and changes lists, never expires, and says what it is for', async () => {
    const { key, secret } = await issue();
    const scopes = ['read:stores', 'read:signals', 'write:scans', 'read:watchlists', 'write:watchlists', 'read:jobs'];
    const shown = { label: 'Dashboard', use: KeyUse.DASHBOARD, scopes };
    expect(key).toMatchObject({ ...shown, workspaceId, status: KeyStatus.ACTIVE });
    expect(key?.expiresAtMs).toBeUndefined();
    expect((await client.verifyKey(digestOf(secret))).key).toMatchObject({ id: key?.id, use: KeyUse.DASHBOARD });
    expect(await list()).toMatchObject([{ id: key?.id, ...shown }]);
  });

  it('the key of the dashboard in the test environment may also make events', async () => {
    const [live, test] = [await issue(), await issue({ environment: 'test' })];
    expect(test.key?.scopes.toSorted()).toEqual([...(live.key?.scopes ?? []), 'write:webhooks'].toSorted());
  });

  it('a key of people is for the public API', async () => {
    const { secret } = await newKey(client, workspaceId);
    expect((await client.verifyKey(digestOf(secret))).key?.use).toBe(KeyUse.API);
  });

  it('the next key of the dashboard replaces the key before it, and the audit log has both changes', async () => {
    const first = await issue();
    const second = await issue();
    expect(await statusOf(client, first.secret)).toBe(KeyStatus.REVOKED);
    expect(await statusOf(client, second.secret)).toBe(KeyStatus.ACTIVE);
    const { entries } = await client.listAuditEntries({ workspaceId, beforeId: '', limit: 10 });
    const inOrder = entries.toSorted((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ action, subjectId }) => [action, subjectId]).slice(-3)).toEqual([
      ['key.created', first.key?.id],
      ['key.revoked', first.key?.id],
      ['key.created', second.key?.id],
    ]);
  });

  it('a workspace has one active key of the dashboard, even after concurrent calls at several instances', async () => {
    const issued = await Promise.all(Array.from({ length: 8 }, (_, n) => issue({}, n % 2 ? client : other)));
    const states = await Promise.all(issued.map(({ secret }) => statusOf(client, secret)));
    expect(states.filter((state) => state === KeyStatus.ACTIVE)).toHaveLength(1);
  });

  it('the dashboard has one key in each environment, and its replacement leaves the key of the other environment', async () => {
    const live = await issue();
    const first = await issue({ environment: 'test' });
    const second = await issue({ environment: 'test' });
    expect(second.key).toMatchObject({ environment: 'test', prefix: expect.stringMatching(/^svc_test_/) });
    const states = await Promise.all([live, first, second].map(({ secret }) => statusOf(client, secret)));
    expect(states).toEqual([KeyStatus.ACTIVE, KeyStatus.REVOKED, KeyStatus.ACTIVE]);
    await client.revokeKey({ workspaceId, keyId: live.key?.id ?? '', ...by });
    await expect(issue()).rejects.toMatchObject({ code: 'conflict' });
    expect((await issue({ environment: 'test' })).secret).not.toBe('');
  });

  it('the key of the dashboard stays revoked when somebody has revoked it, until it is switched on again', async () => {
    const { key, secret } = await issue();
    await client.revokeKey({ workspaceId, keyId: key?.id ?? '', ...by });
    await expect(issue()).rejects.toMatchObject({ code: 'conflict' });
    expect(await statusOf(client, secret)).toBe(KeyStatus.REVOKED);
    const again = await issue({ switchOn: true });
    expect(await statusOf(client, again.secret)).toBe(KeyStatus.ACTIVE);
    // It is replaced as before.
    const next = await issue();
    expect(await statusOf(client, next.secret)).toBe(KeyStatus.ACTIVE);
  });

  it('the keys of the dashboard do not count toward the limit of keys, and are revoked with the workspace', async () => {
    const { secret } = await issue();
    await issue({ environment: 'test' });
    const keys = harness.db.collection<{ _id: string }>('keys');
    const { id } = await newKey(client, workspaceId);
    const template = await keys.findOne({ _id: id });
    const copies = Array.from({ length: 498 }, (_, n) => ({ ...template, _id: `${id}${n}`, fingerprint: `${id}${n}` }));
    await keys.insertMany(copies);
    await newKey(client, workspaceId);
    await expect(newKey(client, workspaceId)).rejects.toMatchObject({ code: 'conflict' });
    // It can be issued even when the limit is reached without it.
    await client.revokeKey({ workspaceId, keyId: (await dashboardKeyOf())?.id ?? '', ...by });
    await expect(newKey(client, workspaceId)).rejects.toMatchObject({ code: 'conflict' });
    const again = await issue({ switchOn: true });
    expect(await statusOf(client, again.secret)).toBe(KeyStatus.ACTIVE);
    await expect(newKey(client, workspaceId)).rejects.toMatchObject({ code: 'conflict' });
    await client.deleteWorkspace({ workspaceId, ...by });
    expect(await statusOf(client, secret)).toBe(KeyStatus.REVOKED);
    expect(await statusOf(client, again.secret)).toBe(KeyStatus.REVOKED);
    await expect(issue({ switchOn: true })).rejects.toMatchObject({ code: 'not_found' });
  });
});
