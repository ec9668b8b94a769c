import { ManualClock } from '@shopscope/clock';
import type { WorkspaceVisit } from '../../../src/app/operations/visit.ts';
import type { Dependencies } from '../../../src/app/wiring/dependencies.ts';

/** A request of a workspace, for operations that call gateways. */
export const keyVisit = {
  person: { userId: 'usr_1' },
  membership: { workspaceId: 'ws_1' },
  address: '',
  origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
} as WorkspaceVisit;

/** Dependencies with which each key `Dashboard` has the next of the secrets. */
export function withDashboardKeys(secrets: readonly string[], others: Partial<Dependencies>) {
  let issued = 0;
  const keys = {
    issueDashboardKey: async () => ({ keyId: `key_${issued}`, secret: secrets[issued++] ?? '' }),
    getKey: async () => ({}),
    getWorkspace: async () => ({ workspace: {} }),
  };
  const dashboardKeys = { find: async () => undefined, lease: async () => true, put: async () => {} };
  const own = { keys, dashboardKeys, secret: 'secret', clock: new ManualClock() };
  return { deps: { ...own, ...others } as unknown as Dependencies, issued: () => issued };
}
