import { invalidField } from '@shopscope/errors';
import type { CallContext, Handlers } from '@shopscope/grpc';
import type { MeteringServiceService, VoidChargeRequest } from '@shopscope/proto';
import type { Dependencies, EveryEnvironment, Queues } from '../../operations/dependencies.ts';
import { currentOwner, inCurrentGeneration, resetTestAllowances } from '../../operations/generations.ts';
import { getBalances } from '../../operations/get-balances.ts';
import { getDailyUsage } from '../../operations/get-daily-usage.ts';
import { getUsage } from '../../operations/get-usage.ts';
import { leaseAllowance } from '../../operations/lease-allowance.ts';
import { reserveItems } from '../../operations/reserve-items.ts';
import { setTestAllowance } from '../../operations/set-test-allowance.ts';
import { type VoidCharge, voidCharge } from '../../operations/void-charge.ts';
import {
  attemptNumber,
  identifier,
  leaseAsk,
  leaseOf,
  leftUnits,
  periodStart,
  reserveItem,
  units,
  usageEvent,
} from '../decode.ts';
import { encodeReserved } from './encode.ts';

const maxBatchSize = 1_000;
const maxBalances = 100;

/** The handlers of all RPCs. Each decodes the request, calls one operation in the environment of the call, and encodes the response. */
export const meteringHandlers = (every: EveryEnvironment): Handlers<typeof MeteringServiceService> => ({
  async reserve({ items }, context) {
    requireAtMost(maxBatchSize, 'items', items);
    const { deps, queues } = partOf(every, context);
    const decoded = await inCurrentGeneration(deps, items.map(reserveItem), context.deadline);
    return { results: (await reserveItems(deps, queues, decoded, context)).map(encodeReserved) };
  },

  async leaseAllowance({ gatewayId, asks }, context) {
    requireAtMost(maxBatchSize, 'asks', asks);
    const { deps } = partOf(every, context);
    const decoded = await inCurrentGeneration(deps, asks.map(leaseAsk), context.deadline);
    return { grants: await leaseAllowance(deps, identifier('gateway_id', gatewayId), decoded, context) };
  },

  async voidCharge(request, context) {
    const charge = {
      chargeId: identifier('charge_id', request.chargeId),
      attempt: attemptNumber(request.attempt),
      workspaceId: identifier('workspace_id', request.workspaceId),
      keyId: identifier('key_id', request.keyId),
      ...leaseCharge(request),
    };
    const { deps, queues } = partOf(every, context);
    const [own = charge] = await inCurrentGeneration(deps, [charge], context.deadline);
    return voidCharge(deps, queues, own, context);
  },

  async recordUsage({ events }, context) {
    requireAtMost(maxBatchSize, 'events', events);
    const { deps, queues } = partOf(every, context);
    const { deadline } = context;
    const decoded = events.map(usageEvent);
    const own = await inCurrentGeneration(deps, decoded, deadline);
    const recorded = await Promise.all(own.map((event) => queues.usageEvents.submit(event, deadline)));
    const refused = decoded.filter(({ kind }, n) => kind === 'count' && recorded[n]?.isRefused);
    // Only charges of leases can be refused, because a reservation holds the units of its charge.
    return { refusedChargeIds: refused.map(({ chargeId }) => chargeId) };
  },

  async getBalance({ workspaceIds }, context) {
    requireAtMost(maxBalances, 'workspace_ids', workspaceIds);
    const { deps } = partOf(every, context);
    const named = workspaceIds.map((id) => ({ workspaceId: identifier('workspace_ids', id) }));
    const own = await inCurrentGeneration(deps, named, context.deadline);
    const ids = own.map(({ workspaceId }) => workspaceId);
    return { balances: await getBalances(deps, ids, context) };
  },

  async getUsage({ workspaceId, periodStartMs }, context) {
    const { deps } = partOf(every, context);
    const owner = await currentOwner(deps, identifier('workspace_id', workspaceId), context.deadline);
    return getUsage(deps, owner, context, requestedStart(periodStartMs));
  },

  async getDailyUsage({ workspaceId, periodStartMs }, context) {
    const { deps } = partOf(every, context);
    const owner = await currentOwner(deps, identifier('workspace_id', workspaceId), context.deadline);
    return getDailyUsage(deps, owner, context, requestedStart(periodStartMs));
  },

  async setTestAllowance(request, context) {
    const { deps } = testPart(every, context);
    const included = units('included', request.included);
    const left = leftUnits(request.left, included);
    const workspaceId = identifier('workspace_id', request.workspaceId);
    return { balance: await setTestAllowance(deps, { workspaceId, included, left }, context) };
  },

  async resetTestAllowances({ workspaceId }, context) {
    const { deps } = testPart(every, context);
    await resetTestAllowances(deps, identifier('workspace_id', workspaceId), context);
    return {};
  },
});

/** Only timers and operators call without an environment: they mean live data. */
const partOf = (every: EveryEnvironment, { origin }: CallContext): { deps: Dependencies; queues: Queues } =>
  every[origin.environment ?? 'live'];

function testPart({ test }: EveryEnvironment, { origin }: CallContext): EveryEnvironment['test'] {
  if (origin.environment !== 'test') throw invalidField('environment', 'must be test in the origin of the call');
  return test;
}

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
