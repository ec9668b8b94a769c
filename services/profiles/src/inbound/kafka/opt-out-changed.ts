import { PoisonError, type Subscription } from '@shopscope/kafka';
import { OptOutChange, type OptOutChanged, optOutChanged } from '@shopscope/proto';
import type { OptOut } from '../../domain/opt-out.ts';
import { applyOptOut } from '../../operations/apply-opt-out.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

/** Consumes opt-outs.v1. `onApplied` starts the removal of stores at once. */
export const optOutChangedSubscription = (
  deps: Dependencies,
  { onApplied }: { onApplied(): void },
): Subscription<OptOutChanged> => ({
  type: optOutChanged,
  async handle(received) {
    for (const { event, meta: origin } of received) await applyOptOut(deps, decode(event), origin);
    onApplied();
  },
});

function decode({ subject, change, changedAtMs }: OptOutChanged): OptOut {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(subject)) throw new PoisonError('the subject is not a domain');
  if (change !== OptOutChange.ADDED && change !== OptOutChange.WITHDRAWN)
    throw new PoisonError(`unknown change ${change} of an opt-out`);
  if (!(changedAtMs > 0)) throw new PoisonError('the change has no time');
  return { subject, isInForce: change === OptOutChange.ADDED, changedAt: new Date(changedAtMs) };
}
