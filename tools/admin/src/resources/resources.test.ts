import { type Key, KeyStatus, KeyUse, PepperState, type Plan } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { encodePepper } from '../commands/pepper.ts';
import { encodeAuditEntry, encodeAuditLogState } from './audit-entry.ts';
import { encodeKey } from './key.ts';
import { encodePlan } from './plan.ts';
import { encodeUsage } from './usage.ts';
import { encodeWorkspace, encodeWorkspaceWithPlan } from './workspace.ts';

const atMs = Date.UTC(2027, 2, 1, 12, 30);
const at = '2027-03-01T12:30:00.000Z';
const key: Key = {
  id: 'key_1',
  workspaceId: 'ws_1',
  label: 'ci',
  prefix: 'svc_live_abcd',
  environment: 'live',
  scopes: ['read:stores'],
  createdAtMs: atMs,
  createdBy: 'usr_1',
  expiresAtMs: undefined,
  revokedAtMs: undefined,
  status: KeyStatus.ACTIVE,
  preset: 'custom',
  createdFrom: '192.0.2.1',
  lastUsedAtMs: atMs,
  revokedBy: '',
  use: KeyUse.API,
};
const plan: Plan = {
  slug: 'growth',
  rpm: 600,
  concurrency: 20,
  enrichBatchMax: 100,
  freshnessDays: 7,
  historyDays: 365,
  included: { lookupCached: 4, lookupLive: 3, historyQuery: 2, refreshRequested: 1 },
  quotas: { lists: 5, listStores: 6, watchlists: 7, watchedStores: 8, webhooks: 9 },
};
const included = { lookup_cached: 4, lookup_live: 3, history_query: 2, refresh_requested: 1 };
const limits = {
  rpm: 600,
  concurrency: 20,
  enrich_batch_max: 100,
  freshness_days: 7,
  history_days: 365,
  live_refreshes_per_period: 3,
};
const quotas = { lists: 5, list_stores: 6, watchlists: 7, watched_stores: 8, webhooks: 9 };

describe('resources in the names of the API', () => {
  it('encodeKey gives the status of a key as a word', () => {
    expect(encodeKey(key)).toEqual({
      id: 'key_1',
      workspace_id: 'ws_1',
      label: 'ci',
      prefix: 'svc_live_abcd',
      environment: 'live',
      scopes: ['read:stores'],
      preset: 'custom',
      status: 'active',
      created_at: at,
      created_by: 'usr_1',
      created_from: '192.0.2.1',
      last_used_at: at,
      expires_at: null,
      revoked_at: null,
      revoked_by: null,
    });
    const ended = { ...key, expiresAtMs: atMs, revokedAtMs: atMs, revokedBy: 'usr_2' };
    expect(encodeKey({ ...ended, status: KeyStatus.REVOKED })).toMatchObject({
      status: 'revoked',
      revoked_at: at,
      revoked_by: 'usr_2',
    });
    expect(encodeKey({ ...ended, status: KeyStatus.EXPIRED })).toMatchObject({ status: 'expired', expires_at: at });
    expect(encodeKey({ ...key, status: 99 as KeyStatus }).status).toBe('unknown');
  });

  it('encodeKey gives what was not recorded as null', () => {
    const older = { ...key, preset: '', createdFrom: '', lastUsedAtMs: undefined, revokedBy: '' };
    expect(encodeKey(older)).toMatchObject({ preset: null, created_from: null, last_used_at: null, revoked_by: null });
  });

  it('encodePlan gives the limits, quotas and included units of GET /v1/account', () => {
    expect(encodePlan(plan)).toEqual({ slug: 'growth', limits, quotas, included });
  });

  it('encodeWorkspace gives the state of a workspace and its plan', () => {
    const workspace = { id: 'ws_1', name: 'Acme', planSlug: 'growth', createdAtMs: atMs, suspendedAtMs: undefined };
    const encoded = { id: 'ws_1', name: 'Acme', plan_slug: 'growth', status: 'active', created_at: at };
    expect(encodeWorkspace(workspace)).toEqual({ ...encoded, suspended_at: null });
    const suspended = { ...encoded, status: 'suspended', suspended_at: at };
    expect(encodeWorkspace({ ...workspace, suspendedAtMs: atMs })).toEqual(suspended);
    expect(encodeWorkspaceWithPlan(workspace, plan).plan).toEqual({ slug: 'growth', limits, quotas, included });
  });

  it('encodeAuditEntry gives an ISO 8601 instant', () => {
    const by = { id: 'aud_1', actor: 'usr_1', action: 'plan.deleted' };
    const chain = { sequence: 7, hash: Buffer.from('ab', 'hex') };
    const persons = { actorName: 'Ann', actorEmail: 'ann@x.example', subjectName: '', subjectEmail: '' };
    const entry = { ...by, ...persons, subjectId: 'x', atMs, actorAddress: '192.0.2.1', detail: 'more', ...chain };
    const members = { ...by, actor_address: '192.0.2.1', subject_id: 'x', detail: 'more', created_at: at };
    const names = { actor_name: 'Ann', actor_email: 'ann@x.example', subject_name: null, subject_email: null };
    const encoded = { ...members, ...names, sequence: 7, hash: 'ab' };
    expect(encodeAuditEntry({ ...entry, workspaceId: '' })).toEqual({ ...encoded, workspace_id: null });
    expect(encodeAuditEntry({ ...entry, workspaceId: 'ws_1' })).toEqual({ ...encoded, workspace_id: 'ws_1' });
    const older = { ...entry, workspaceId: 'ws_1', actorAddress: '', sequence: 0, hash: Buffer.alloc(0) };
    expect(encodeAuditEntry(older)).toMatchObject({ actor_address: null, sequence: null, hash: null });
  });

  it('encodeAuditLogState gives the state of an audit log, with the first wrong entry of a broken one', () => {
    const intact = { entries: 3, unchainedEntries: 1, brokenSequence: undefined, fault: '' };
    const counts = { entries: 3, unchained_entries: 1 };
    expect(encodeAuditLogState('ws_1', intact)).toEqual({
      workspace_id: 'ws_1',
      state: 'intact',
      ...counts,
      broken_sequence: null,
      fault: null,
    });
    expect(encodeAuditLogState('', { ...intact, brokenSequence: 4, fault: 'head' })).toEqual({
      workspace_id: null,
      state: 'broken',
      ...counts,
      broken_sequence: 4,
      fault: 'head',
    });
  });

  it('encodePepper gives the state of a pepper as a word', () => {
    expect(encodePepper({ id: '2', state: PepperState.RETIRING, usableKeys: 3 })).toEqual({
      id: '2',
      state: 'retiring',
      usable_keys: 3,
    });
  });
});

describe('usage', () => {
  const balance = {
    periodStartMs: Date.UTC(2027, 2, 1),
    periodEndMs: Date.UTC(2027, 3, 1),
    used: { lookupCached: 6, lookupLive: 0, historyQuery: 0, refreshRequested: 0 },
    reserved: undefined,
    taken: undefined,
  };
  const units = (lookupCached: number) => ({ lookupCached, lookupLive: 0, historyQuery: 0, refreshRequested: 0 });
  const counts = (lookup_cached: number) => ({
    lookup_cached,
    lookup_live: 0,
    history_query: 0,
    refresh_requested: 0,
  });
  const revoked = { ...key, status: KeyStatus.REVOKED };

  it('usage has a row for every active key and every other key with usage, so that the rows add up to the total', () => {
    const encoded = encodeUsage({
      balance,
      plan,
      keys: [key, { ...revoked, id: 'key_2', label: 'old' }, { ...revoked, id: 'key_3', label: 'unused' }],
      usage: [
        { keyId: 'key_2', used: units(4) },
        { keyId: 'key_forgotten', used: units(2) },
        { keyId: 'key_3', used: units(0) },
      ],
    });
    expect(encoded).toEqual({
      period: {
        starts_at: '2027-03-01T00:00:00.000Z',
        ends_at: '2027-04-01T00:00:00.000Z',
        included,
        used: counts(6),
      },
      by_key: [
        { key_id: 'key_1', label: 'ci', used: counts(0) },
        { key_id: 'key_2', label: 'old', used: counts(4) },
        { key_id: 'key_forgotten', label: 'key_forgotten', used: counts(2) },
      ],
    });
  });

  it('the usage of an earlier period has no allowance, because the plan may have changed since', () => {
    expect(encodeUsage({ balance, plan: undefined, keys: [], usage: [] }).period.included).toBeNull();
  });
});
