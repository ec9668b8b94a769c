import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService, VoidChargeRequest } from '@shopscope/proto';
import type { Dependencies, Queues } from '../../operations/dependencies.ts';
import { getBalances } from '../../operations/get-balances.ts';
import { getDailyUsage } from '../../operations/get-daily-usage.ts';
import { getUsage } from '../../operations/get-usage.ts';
import { leaseAllowance } from '../../operations/lease-allowance.ts';
import { reserveItems } from '../../operations/reserve-items.ts';
import { type VoidCharge, voidCharge } from '../../operations/void-charge.ts';
import {
  attemptNumber,
  identifier,
  leaseAsk,
  leaseOf,
  periodStart,
  reserveItem,
  units,
  usageEvent,
} from '../decode.ts';
import { encodeReserved } from './encode.ts';

const maxBatchSize = 1_000;
const maxBalances = 100;

/** The handlers of all RPCs. Each decodes the request, calls one operation, and encodes the response. */
export const meteringHandlers = (deps: Dependencies, queues: Queues): Handlers<typeof MeteringServiceService> => ({
  async reserve({ items }, context) {
    requireAtMost(maxBatchSize, 'items', items);
    return { results: (await reserveItems(deps, queues, items.map(reserveItem), context)).map(encodeReserved) };
  },

  async leaseAllowance({ gatewayId, asks }, context) {
    requireAtMost(maxBatchSize, 'asks', asks);
    return { grants: await leaseAllowance(deps, identifier('gateway_id', gatewayId), asks.map(leaseAsk), context) };
  },

  async voidCharge(request, context) {
    const charge = {
      chargeId: identifier('charge_id', request.chargeId),
      attempt: attemptNumber(request.attempt),
      workspaceId: identifier('workspace_id', request.workspaceId),
      keyId: identifier('key_id', request.keyId),
      ...leaseCharge(request),
    };
    return voidCharge(deps, queues, charge, context);
  },

  async recordUsage({ events }, { deadline }) {
    requireAtMost(maxBatchSize, 'events', events);
    const decoded = events.map(usageEvent);
    const recorded = await Promise.all(decoded.map((event) => queues.usageEvents.submit(event, deadline)));
    const refused = decoded.filter(({ kind }, n) => kind === 'count' && recorded[n]?.isRefused);
    // Only charges of leases can be refused, because a reservation holds the units of its charge.
    return { refusedChargeIds: refused.map(({ chargeId }) => chargeId) };
  },

  async getBalance({ workspaceIds }, context) {
    requireAtMost(maxBalances, 'workspace_ids', workspaceIds);
    const ids = workspaceIds.map((id) => identifier('workspace_ids', id));
    return { balances: await getBalances(deps, ids, context) };
  },

  getUsage: async ({ workspaceId, periodStartMs }, context) =>
    getUsage(deps, identifier('workspace_id', workspaceId), context, requestedStart(periodStartMs)),

  getDailyUsage: async ({ workspaceId, periodStartMs }, context) =>
    getDailyUsage(deps, identifier('workspace_id', workspaceId), context, requestedStart(periodStartMs)),
  setTestAllowance: () => Promise.reject(new Error('not served yet')),
  resetTestAllowances: () => Promise.reject(new Error('not served yet')),
});

function requireAtMost(max: number, field: string, entries: readonly unknown[]): void {
  if (entries.length > max) throw invalidField(field, `at most ${max}`);
}

const requestedStart = (ms: number | undefined) => (ms === undefined ? undefined : periodStart('period_start_ms', ms));

function leaseCharge({ lease, ...charge }: VoidChargeRequest): Pick<VoidCharge, 'lease'> {
  if (!lease) return {};
  const id = leaseOf({ ...charge, ...lease });
  const periodStartMs = periodStart('period_start_ms', lease.periodStartMs);
  return { lease: { id, units: units('units', lease.units), periodStartMs } };
}
