import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { LeaseOutcome, type MeteringServiceService } from '@shopscope/proto';
import { unitNames } from '../../domain/units.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { leaseAllowance } from '../../operations/lease-allowance.ts';
import { identifier, isOfKnownUnit, leaseAsk } from '../decode.ts';

const maxBatchSize = 1_000;
/** The answer to an ask for a unit that only later versions lend. The gateway then reserves such units. */
const notLent = {
  ...{ periodStartMs: 0, periodRestMs: 0, taken: 0, lentElsewhere: 0, granted: 0, usableMs: 0 },
  outcome: LeaseOutcome.DIRECT,
};
const outcomes = { granted: LeaseOutcome.GRANTED, direct: LeaseOutcome.DIRECT };

export const leaseAllowanceHandler =
  (deps: Dependencies): Handlers<typeof MeteringServiceService>['leaseAllowance'] =>
  async ({ gatewayId, asks, unitAsks }, context) => {
    if (asks.length + unitAsks.length > maxBatchSize) throw invalidField('asks', `at most ${maxBatchSize}`);
    const all = [...asks, ...unitAsks.filter(isOfKnownUnit)];
    const answers = await leaseAllowance(deps, identifier('gateway_id', gatewayId), all.map(leaseAsk), context);
    const grants = answers.map((grant) => ({
      ...grant,
      outcome: outcomes[grant.outcome],
      granted: grant.outcome === 'granted' ? grant.granted : 0,
      usableMs: grant.outcome === 'granted' ? grant.usableMs : 0,
    }));
    const grantOf = new Map(all.map((ask, n) => [ask, grants[n]]));
    return {
      grants: grants.slice(0, asks.length),
      granting: deps.leasedUnits.has('lookupCached'),
      unitGrants: unitAsks.map((ask) => grantOf.get(ask) ?? notLent),
      grantingUnits: [...deps.leasedUnits].filter((unit) => unit !== 'lookupCached').map((unit) => unitNames[unit]),
    };
  };
