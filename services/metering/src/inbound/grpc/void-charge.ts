import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Dependencies, Queues } from '../../operations/dependencies.ts';
import { voidCharge } from '../../operations/void-charge.ts';
import { attemptNumber, identifier } from '../decode.ts';
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
      },
      context,
    );
    return { balance: balance && encodeBalance(balance), counts };
  };
