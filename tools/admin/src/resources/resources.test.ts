import { type Key, KeyStatus, PepperState, type Plan } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { encodeAuditEntry } from './audit-entry.ts';
import { encodeKey } from './key.ts';
import { encodePepper } from './pepper.ts';
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
};
const plan: Plan = {
  slug: 'growth',
  rpm: 600,
  concurrency: 20,
  enrichBatchMax: 100,
  freshnessDays: 7,
  historyDays: 365,
  included: { lookupCached: 4, lookupLive: 3, historyQuery: 2, refreshRequested: 1 },
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

describe('a resource in the names of the API', () => {
  it('encodeKey gives the status of a key as a word', () => {
    expect(encodeKey(key)).toEqual({
      id: 'key_1',
      workspace_id: 'ws_1',
      label: 'ci',
      prefix: 'svc_live_abcd',
      environment: 'live',
      scopes: ['read:stores'],
      status: 'active',
      created_at: at,
      created_by: 'usr_1',
      expires_at: null,
      revoked_at: null,
    });
    const ended = { ...key, expiresAtMs: atMs, revokedAtMs: atMs };
    expect(encodeKey({ ...ended, status: KeyStatus.REVOKED })).toMatchObject({ status: 'revoked', revoked_at: at });
    expect(encodeKey({ ...ended, status: KeyStatus.EXPIRED })).toMatchObject({ status: 'expired', expires_at: at });
    expect(encodeKey({ ...key, status: 99 as KeyStatus }).status).toBe('unknown');
  });

  it('is a plan with the limits and included units of GET /v1/account', () => {
    expect(encodePlan(plan)).toEqual({ slug: 'growth', limits, included });
  });

  it('is a workspace with its state and its plan', () => {
    const workspace = { id: 'ws_1', name: 'Acme', planSlug: 'growth', createdAtMs: atMs, suspendedAtMs: undefined };
    const encoded = { id: 'ws_1', name: 'Acme', plan_slug: 'growth', status: 'active', created_at: at };
    expect(encodeWorkspace(workspace)).toEqual({ ...encoded, suspended_at: null });
    const suspended = { ...encoded, status: 'suspended', suspended_at: at };
    expect(encodeWorkspace({ ...workspace, suspendedAtMs: atMs })).toEqual(suspended);
    expect(encodeWorkspaceWithPlan(workspace, plan).plan).toEqual({ slug: 'growth', limits, included });
  });

  it('is an audit entry with an ISO 8601 instant', () => {
    const entry = { id: 'aud_1', actor: 'usr_1', action: 'plan.deleted', subjectId: 'x', atMs };
    const encoded = { id: 'aud_1', actor: 'usr_1', action: 'plan.deleted', subject_id: 'x', created_at: at };
    expect(encodeAuditEntry({ ...entry, workspaceId: '' })).toEqual({ ...encoded, workspace_id: null });
    expect(encodeAuditEntry({ ...entry, workspaceId: 'ws_1' })).toEqual({ ...encoded, workspace_id: 'ws_1' });
  });

  it('is a pepper with its state as a word', () => {
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

  it('has a row for every active key and every other key with usage, so that the rows add up to the total', () => {
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

  it('of an earlier period has no allowance, because the plan may have changed since', () => {
    expect(encodeUsage({ balance, plan: undefined, keys: [], usage: [] }).period.included).toBeNull();
  });
});
