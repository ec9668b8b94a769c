import { type Origin, originFields } from '@shopscope/telemetry';
import { firstStep, type OptOut } from '../domain/opt-out.ts';
import type { Dependencies } from './dependencies.ts';

type ApplyDependencies = Pick<Dependencies, 'clock' | 'logger' | 'optOuts' | 'transact'>;

/**
 * Records a change of an opt-out. From then on no merge shows a store that the entry covers; remove-stores.ts removes those that exist.
 *
 * - The opt-out is withdrawn -> the stores can be observed anew, with a higher sequence than their removal.
 * - The event is repeated, or late -> nothing changes.
 */
export async function applyOptOut(deps: ApplyDependencies, optOut: OptOut, origin: Origin): Promise<void> {
  const step = optOut.isInForce ? firstStep(new Date(deps.clock.now())) : null;
  const applied = await deps.transact((tx) => deps.optOuts.apply(optOut, step, origin, tx));
  const { subject, isInForce } = optOut;
  const fields = { subject, isInForce, ...originFields(origin) };
  if (applied) deps.logger.info(fields, 'an opt-out was applied');
}
