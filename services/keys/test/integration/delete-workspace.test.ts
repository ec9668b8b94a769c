import { randomBytes } from 'node:crypto';
import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { KeyChange, KeyStatus } from '@shopscope/proto';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { verifyKey } from '../../src/operations/verify-key.ts';
import { createKeyStore } from '../../src/outbound/mongo/keys.ts';
import { createPlanStore } from '../../src/outbound/mongo/plans.ts';
import { createWorkspaceStore } from '../../src/outbound/mongo/workspaces.ts';
import {
  actor,
  by,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
  pepper,
  statusOf,
} from './harness.ts';
import { eventsOf } from './rpcs.ts';

describe('deletion and renaming of workspaces', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let clients: [KeysClient, KeysClient];
  let client: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('delete-workspace', clock, { holdOutbox: true });
    clients = [(await harness.start()).client, (await harness.start()).client];
    client = clients[0];
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    clock.advance(1);
    workspaceId = await newWorkspace(client);
  });

  const who = { actor: 'usr_owner', actorAddress: '2001:db8::7' };
  const remove = (of = client, id = workspaceId) => of.deleteWorkspace({ workspaceId: id, ...who });
  const keys = () => harness.db.collection<{ _id: string } & Document>('keys');
  const eventsHere = async () => (await eventsOf(harness.db)).filter((event) => event.workspaceId === workspaceId);
  const entriesHere = async () =>
    (await client.listAuditEntries({ workspaceId, beforeId: '', limit: 200 })).entries.toSorted(
      (a, b) => a.sequence - b.sequence,
    );
  const isListed = async () => {
    const { workspaces } = await client.listWorkspaces({ afterId: '', limit: 200 });
    return workspaces.some(({ id }) => id === workspaceId);
  };

  it('a workspace that is deleted is hidden, and all its keys are refused', async () => {
    const made = [await newKey(client, workspaceId), await newKey(client, workspaceId, { label: 'second' })];
    const revoked = await newKey(client, workspaceId);
    await client.revokeKey({ workspaceId, keyId: revoked.id, ...by });
    const stranger = await newKey(client, await newWorkspace(client));
    expect(await isListed()).toBe(true);
    clock.advance(1);

    expect(await remove()).toEqual({ revokedKeys: 2 });
    for (const { secret } of [...made, revoked]) expect(await statusOf(clients[1], secret)).toBe(KeyStatus.REVOKED);
    expect(await statusOf(client, stranger.secret)).toBe(KeyStatus.ACTIVE);
    expect(await isListed()).toBe(false);
    const ids = made.map(({ id }) => id).toSorted();
    const { keys: listed } = await client.listKeys({ workspaceId, includeInactive: true });
    expect(listed.map(({ id, revokedAtMs, revokedBy }) => [id, revokedAtMs, revokedBy])).toEqual([
      ...ids.toReversed().map((id) => [id, clock.now(), who.actor]),
      [revoked.id, clock.now() - 1, actor],
    ]);
    expect((await entriesHere()).slice(-3)).toMatchObject([
      { action: 'key.revoked', subjectId: expect.stringMatching(/^key_/), ...who },
      { action: 'key.revoked', subjectId: expect.stringMatching(/^key_/), ...who },
      { action: 'workspace.deleted', subjectId: workspaceId, detail: 'Acme', ...who },
    ]);
    expect(await client.verifyAuditLog({ workspaceId })).toMatchObject({ brokenSequence: undefined });
    const last = (await eventsHere()).slice(-3);
    expect(last.map(({ change }) => change)).toEqual([
      KeyChange.KEY_REVOKED,
      KeyChange.KEY_REVOKED,
      KeyChange.WORKSPACE_DELETED,
    ]);
    expect(last.map(({ keyId }) => keyId).toSorted()).toEqual(['', ...ids]);
  });

  it('a workspace that is deleted does not exist for any other RPC that changes or shows it', async () => {
    const { id: keyId } = await newKey(client, workspaceId);
    await remove();
    const attempts: Record<string, () => Promise<unknown>> = {
      getWorkspace: () => client.getWorkspace({ workspaceId }),
      renameWorkspace: () => client.renameWorkspace({ workspaceId, name: 'New', ...by }),
      setWorkspacePlan: () => client.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor }),
      suspendWorkspace: () => client.suspendWorkspace({ workspaceId, actor }),
      resumeWorkspace: () => client.resumeWorkspace({ workspaceId, actor }),
      createKey: () => newKey(client, workspaceId),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      await expect(attempt(), name).rejects.toMatchObject({ code: 'not_found' });
    }
    // The record of a change of a member can arrive late.
    const done = { action: 'member.removed', subjectId: 'usr_2', detail: '' };
    await client.recordAuditEntry({ id: newId('aud'), workspaceId, ...by, ...done });
    expect((await client.getKey({ workspaceId, keyId })).key?.status).toBe(KeyStatus.REVOKED);
    expect(await client.verifyAuditLog({ workspaceId })).toMatchObject({ brokenSequence: undefined });
  });

  it('a workspace is deleted once by several calls', async () => {
    await newKey(client, workspaceId);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => remove(clients[n % 2])));
    expect(answers.map(({ revokedKeys }) => revokedKeys).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect((await entriesHere()).filter(({ action }) => action === 'workspace.deleted')).toHaveLength(1);
  });

  it('a workspace with 500 keys is deleted in one transaction', async () => {
    const { id } = await newKey(client, workspaceId);
    const template = await keys().findOne({ _id: id });
    const copy = () => ({ ...template, _id: newId('key', clock.now()), fingerprint: randomBytes(32) });
    await keys().insertMany(Array.from({ length: 499 }, copy));
    const oplog = harness.db.client.db('local').collection('oplog.rs');
    const [latest] = await oplog.find().sort({ $natural: -1 }).limit(1).toArray();
    expect(await remove()).toEqual({ revokedKeys: 500 });
    const inside = { $regex: `^${harness.db.databaseName}\\.(keys|workspaces|audit_entries)$` };
    const written = await oplog.find({ ts: { $gt: latest?.ts }, 'o.applyOps.ns': inside }).toArray();
    expect(new Set(written.map(({ txnNumber, lsid }) => `${lsid.id.toString('hex')}/${txnNumber}`)).size).toBe(1);
    expect(await keys().countDocuments({ workspaceId, revokedAt: null })).toBe(0);
    expect(await client.verifyAuditLog({ workspaceId })).toMatchObject({ entries: 503, brokenSequence: undefined });
    expect((await eventsHere()).filter(({ change }) => change === KeyChange.KEY_REVOKED)).toHaveLength(500);
  });

  it('a deleted workspace keeps no usable key whose creation runs during the deletion', async () => {
    for (let round = 0; round < 5; round++) {
      workspaceId = await newWorkspace(client);
      const creations = Array.from({ length: 6 }, (_, n) => newKey(clients[n % 2] as KeysClient, workspaceId));
      const [, ...outcomes] = await Promise.allSettled([remove(clients[round % 2]), ...creations]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' });
        else expect(await statusOf(client, outcome.value.secret)).toBe(KeyStatus.REVOKED);
      }
      expect(await keys().countDocuments({ workspaceId, revokedAt: null })).toBe(0);
    }
  });

  it('VerifyKey does not show a workspace that is deleted during the verification', async () => {
    const { secret } = await newKey(client, workspaceId);
    const workspaces = createWorkspaceStore(harness.db);
    const deps = {
      clock,
      peppers: [{ id: '1', secret: pepper }],
      keys: createKeyStore(harness.db),
      plans: createPlanStore(harness.db),
      workspaces: {
        ...workspaces,
        /** The workspace is deleted between the reading of the key and the reading of the workspace. */
        async find(id: string, maxTimeMS: number) {
          await remove();
          return workspaces.find(id, maxTimeMS);
        },
      },
    } as unknown as Dependencies;
    const context = {
      origin: { requestId: '', traceparent: '', environment: 'live' as const },
      deadline: createDeadline(10_000),
    };
    expect(await verifyKey(deps, digestOf(secret).keyDigest, context)).toEqual({ state: 'revoked' });
  });

  it('a workspace that is deleted frees its plan and its name', async () => {
    const { plans } = await client.listPlans({});
    await client.createPlan({ plan: { ...(plans[0] as (typeof plans)[0]), slug: 'freed' }, actor });
    const setUp = () =>
      client.setUpWorkspace({ name: 'Freed', planSlug: 'freed', label: 'first', preset: 'full', scopes: [], actor });
    const first = await setUp();
    await expect(client.deletePlan({ slug: 'freed', actor })).rejects.toMatchObject({ code: 'conflict' });
    await remove(client, first.workspace?.id);
    const second = await setUp();
    expect(second.created).toBe(true);
    await remove(client, second.workspace?.id);
    await client.deletePlan({ slug: 'freed', actor });
  });

  it('RenameWorkspace records the old and the new name, and accepts the name of another workspace', async () => {
    const { workspace } = await client.renameWorkspace({ workspaceId, name: ' Acme Ltd ', ...who });
    expect(workspace).toMatchObject({ id: workspaceId, name: 'Acme Ltd', planSlug: 'free' });
    expect((await client.getWorkspace({ workspaceId })).workspace).toEqual(workspace);
    expect((await entriesHere()).at(-1)).toMatchObject({
      action: 'workspace.renamed',
      subjectId: workspaceId,
      detail: 'Acme → Acme Ltd',
      ...who,
    });
    await client.renameWorkspace({ workspaceId: await newWorkspace(client), name: 'Acme Ltd', ...who });
    const longest = await client.renameWorkspace({ workspaceId, name: 'x'.repeat(200), ...who });
    expect(longest.workspace?.name).toHaveLength(200);
  });

  it('the audit log has the old and the new plan of a workspace, and the label of a key', async () => {
    await client.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor });
    const { id } = await newKey(client, workspaceId, { label: 'deploy', ...who });
    await client.revokeKey({ workspaceId, keyId: id, ...who });
    expect(await entriesHere()).toMatchObject([
      { action: 'workspace.created', detail: 'Acme', actorAddress: '' },
      { action: 'workspace.plan_set', subjectId: 'growth', detail: 'free → growth' },
      { action: 'key.created', subjectId: id, detail: 'deploy', ...who },
      { action: 'key.revoked', subjectId: id, detail: 'deploy', ...who },
    ]);
  });
});
