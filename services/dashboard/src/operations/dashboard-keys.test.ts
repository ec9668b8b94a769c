import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { KeyStatus } from '@shopscope/proto';
import { expect, it } from 'vitest';
import type { DashboardKeyStore, StoredDashboardKey } from '../outbound/mongo/dashboard-keys.ts';
import { createDashboardKeys } from './dashboard-keys.ts';
import type { WorkspaceVisit } from './workspace-visit.ts';

const visit = {
  person: { userId: 'usr_1' },
  membership: { workspaceId: 'ws_1', role: 'member' },
  address: '',
  origin: { requestId: 'req_1', traceparent: '' },
} as WorkspaceVisit;

function start() {
  const clock = new ManualClock();
  const state = { status: KeyStatus.ACTIVE as KeyStatus, suspendedAtMs: undefined as number | undefined, issued: 0 };
  let stored: StoredDashboardKey | 'off' | undefined;
  const store: DashboardKeyStore = {
    find: async () => stored,
    lease: async () => true,
    put: async (_workspaceId, _leaseUntil, key) => {
      stored = key;
    },
    release: async () => {},
    turnOff: async () => {
      stored = 'off';
    },
  };
  const keys = {
    issueDashboardKey: async () => ({ keyId: `key_${++state.issued}`, secret: `secret ${state.issued}` }),
    getKey: async () => ({ status: state.status }) as never,
    getWorkspace: async () => ({ workspace: { suspendedAtMs: state.suspendedAtMs }, plan: {} }) as never,
  };
  return { clock, state, dashboardKeys: createDashboardKeys({ keys, store, clock, secret: 'a secret' }) };
}

it('a key that a gateway refuses is replaced once, and a younger one only after half a minute', async () => {
  const { clock, state, dashboardKeys } = start();
  const first = await dashboardKeys.open(visit);
  clock.advance(60_000);
  const second = await dashboardKeys.renew(visit, first);
  expect([first.keyId, second.keyId, state.issued]).toEqual(['key_1', 'key_2', 2]);
  // Another request that was refused with the first key uses the second one.
  expect(await dashboardKeys.renew(visit, first)).toMatchObject({ keyId: 'key_2' });
  await expect(dashboardKeys.renew(visit, second)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(30_000);
  expect((await dashboardKeys.renew(visit, second)).keyId).toBe('key_3');
});

it('a suspended workspace gets no new key', async () => {
  const { clock, state, dashboardKeys } = start();
  const key = await dashboardKeys.open(visit);
  clock.advance(60_000);
  state.suspendedAtMs = 1;
  await expect(dashboardKeys.renew(visit, key)).rejects.toMatchObject({ code: 'forbidden_scope' });
  expect(state.issued).toBe(1);
});

it('a revoked key turns Stores off, and only an admin turns it on', async () => {
  const { state, dashboardKeys } = start();
  await dashboardKeys.open(visit);
  state.status = KeyStatus.REVOKED;
  expect(await dashboardKeys.state(visit)).toBe('off');
  await expect(dashboardKeys.open(visit)).rejects.toMatchObject({ code: 'conflict' });
  await expect(dashboardKeys.switchOn(visit)).rejects.toBeInstanceOf(AppError);
  expect(state.issued).toBe(1);
  await dashboardKeys.switchOn({ ...visit, membership: { ...visit.membership, role: 'admin' } });
  expect((await dashboardKeys.open(visit)).keyId).toBe('key_2');
});
