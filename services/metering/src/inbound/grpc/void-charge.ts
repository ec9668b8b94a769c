import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService, VoidChargeRequest } from '@shopscope/proto';
import type { Dependencies, Queues } from '../../operations/dependencies.ts';
import { type VoidCharge, voidCharge } from '../../operations/void-charge.ts';
import { attemptNumber, identifier, leaseOf, periodStart, units } from '../decode.ts';
import { encodeBalance } from './encode.ts';

export const voidChargeHandler =
  (deps: Dependencies, queues: Queues): Handlers<typeof MeteringServiceService>['voidCharge'] =>
  async (request, context) => {
    const { balance, counts } = await voidCharge(
      deps,
      queues,
      {
        chargeId: identifier('charge_id', request.chargeId),
        attempt: attemptNumber(request.attempt),
        workspaceId: identifier('workspace_id', request.workspaceId),
        keyId: identifier('key_id', request.keyId),
        ...leaseCharge(request),
      },
      context,
    );
    return { balance: balance && encodeBalance(balance), counts };
  };

function leaseCharge({ lease, ...charge }: VoidChargeRequest): Pick<VoidCharge, 'lease'> {
  if (!lease) return {};
  return {
    lease: {
      id: leaseOf({ ...charge, ...lease }),
      units: units('units', lease.units),
      periodStartMs: periodStart('period_start_ms', lease.periodStartMs),
    },
  };
}
