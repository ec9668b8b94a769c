import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { LeaseOutcome, type MeteringServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { leaseAllowance } from '../../operations/lease-allowance.ts';
import { identifier, leaseAsk } from '../decode.ts';

const maxBatchSize = 1_000;
const outcomes = { granted: LeaseOutcome.GRANTED, direct: LeaseOutcome.DIRECT };

export const leaseAllowanceHandler =
  (deps: Dependencies): Handlers<typeof MeteringServiceService>['leaseAllowance'] =>
  async ({ gatewayId, asks }, context) => {
    if (asks.length > maxBatchSize) throw invalidField('asks', `at most ${maxBatchSize}`);
    const grants = await leaseAllowance(deps, identifier('gateway_id', gatewayId), asks.map(leaseAsk), context);
    return {
      grants: grants.map((grant) => ({
        ...grant,
        outcome: outcomes[grant.outcome],
        granted: grant.outcome === 'granted' ? grant.granted : 0,
        usableMs: grant.outcome === 'granted' ? grant.usableMs : 0,
      })),
    };
  };
