import type { Deadline } from '@shopscope/async';
import type { ChargeAttempt, ChargeRequest } from '@shopscope/charging';
import { chargeUnits, RequestBilling } from '@shopscope/charging';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { type Units, unitsOf } from '@shopscope/proto';
import { shownCount } from '@shopscope/store-search';
import { unitCount } from '../../domain/bulk-job.ts';
import { type Export, type ExportPart, exportOperation, requireExportSize, unitsOfStep } from '../../domain/export.ts';
import { EditionEndedError } from '../../outbound/store-search.ts';
import type { Dependencies } from '../dependencies.ts';
import { savedLists } from './export-lists.ts';
import { type HeldStep, StepLostError } from './refuse-steps.ts';
import { NotBilledError, storeResults } from './store-results.ts';
import { writePart } from './write-part.ts';

/** The charge of a step, as run-step.ts makes it. */
export type StepCharge = Pick<ChargeRequest, 'caller' | 'origin' | 'deadline' | 'chargeId' | 'fingerprint'> & {
  isPermanent: true;
};

/**
 * Steps 2 to 5 of a step of an export: writes the rows as a hidden part, and bills them.
 *
 * - The edition has ended before the first charge -> the export continues with the latest edition, if that fits its bounds.
 * - It has ended later -> the export ends with what is done.
 */
export async function exportStep<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  exported: Export,
  charge: StepCharge,
): Promise<Units> {
  const part = await writePartOfAnyEdition(deps, held, exported, charge);
  const { lookupCached, historyQuery } = unitsOfStep(exported.query, positionOf(held), part.rows);
  const { units } = await chargeUnits(deps.charging, {
    ...charge,
    units: unitsOf({ lookupCached, historyQuery }),
    operation: exportOperation,
    billing: new RequestBilling(),
    async beforeEvent(units: Units, commit: Deadline, attempt: ChargeAttempt) {
      // Only an execution that holds the step settles its charge.
      if (attempt.isSettled) throw new StepLostError();
      await storeResults(deps, held, { units: unitCount(units), failed: 0, part }, commit);
    },
  });
  return units;
}

const positionOf = <E extends Environment>({ step }: HeldStep<E>) => step.position ?? { after: '', rowsBefore: 0 };

async function writePartOfAnyEdition<E extends Environment>(
  deps: Dependencies<E>,
  held: HeldStep<E>,
  exported: Export,
  charge: StepCharge,
): Promise<ExportPart> {
  try {
    return await writePart(deps, held, exported, charge);
  } catch (error) {
    if (!(error instanceof EditionEndedError)) throw error;
    if (held.step.number > 0) throw new NotBilledError('edition_ended');
    return writePart(deps, held, await beginAgain(deps, held, exported, charge), charge);
  }
}

/** Lets the export read the latest edition. */
async function beginAgain<E extends Environment>(
  deps: Dependencies<E>,
  { ref }: HeldStep<E>,
  exported: Export,
  { origin, deadline }: StepCharge,
): Promise<Export> {
  const { query, windowFrom } = exported;
  const lists = await savedLists(deps, ref, deadline.timeoutMs());
  const stores = { query, context: { windowFrom, lists }, workspaceId: ref.workspaceId };
  const counted = await deps.storeSearch.count(stores, origin, deadline);
  const { total } = shownCount({ ...counted, facets: [] }, { hasList: query.where.list !== undefined });
  const maxUnits = unitCount(quoteOf(exported, total));
  const { editionId } = counted;
  const edition = { editionId, total: total.value, maxUnits };
  const changed = await deps.bulkJobs.setEdition(ref, edition, deadline.timeoutMs());
  if (!changed) throw new NotBilledError('ending');
  return { ...exported, editionId };
}

function quoteOf(exported: Export, total: Parameters<typeof requireExportSize>[1]): Units {
  try {
    return requireExportSize(exported, total);
  } catch (error) {
    if (error instanceof AppError) throw new NotBilledError('edition_ended');
    throw error;
  }
}
