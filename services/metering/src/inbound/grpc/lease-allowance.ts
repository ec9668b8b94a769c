import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { LeaseOutcome, type MeteringServiceService } from '@shopscope/proto';
import { unitNames } from '../../domain/units.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { leaseAllowance } from '../../operations/lease-allowance.ts';
import { identifier, leaseAsk } from '../decode.ts';

const maxBatchSize = 1_000;
const outcomes = { granted: LeaseOutcome.GRANTED, direct: LeaseOutcome.DIRECT };

export const leaseAllowanceHandler =
  (deps: Dependencies): Handlers<typeof MeteringServiceService>['leaseAllowance'] =>
  async ({ gatewayId, asks, unitAsks }, context) => {
    const all = [...asks, ...unitAsks];
    if (all.length > maxBatchSize) throw invalidField('asks', `at most ${maxBatchSize}`);
    const answers = await leaseAllowance(deps, identifier('gateway_id', gatewayId), all.map(leaseAsk), context);
    const grants = answers.map((grant) => ({
      ...grant,
      outcome: outcomes[grant.outcome],
      granted: grant.outcome === 'granted' ? grant.granted : 0,
      usableMs: grant.outcome === 'granted' ? grant.usableMs : 0,
    }));
    return {
      grants: grants.slice(0, asks.length),
      granting: deps.leasedUnits.has('lookupCached'),
      unitGrants: grants.slice(asks.length),
      grantingUnits: [...deps.leasedUnits].filter((unit) => unit !== 'lookupCached').map((unit) => unitNames[unit]),
    };
  };
