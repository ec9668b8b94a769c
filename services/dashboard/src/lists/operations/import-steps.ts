/**
 * Imports of files into lists, and copies of lists into watchlists, go in steps. Each form of a page carries out one step, and the page
 * sends its form again until all stores are added.
 *
 * - A call fails -> the stores of the earlier calls stay. The import can be continued while it is stored.
 * - Two steps at the same time -> both may add the same stores, which are then in the list once and counted once.
 * - Bounds of a step: {@link callsPerStep} and {@link stepMs}.
 */

import { createDeadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { isDerivedId } from '../../app/domain/derived-id.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { ImportedStore } from '../domain/import-plan.ts';
import type { ImportProgress } from '../outbound/list-imports.ts';

/** A call has at most 2,000 stores. */
const callsPerStep = 2;
const stepMs = 10_000;

export interface ImportCalls {
  /** Resolves to the stores of the next call, or to undefined if all are added. `rest` is the cursor after the stores of a copy. */
  next(progress: ImportProgress): Promise<{ stores: ImportedStore[]; rest?: string | null } | undefined>;
  /** Returns how many stores are new. */
  add(stores: ImportedStore[], progress: ImportProgress): Promise<number>;
}

export const ownerOf = (visit: WorkspaceVisit) => ({ workspaceId: keeperOf(visit), userId: visit.person.userId });

export const importsOf = (deps: Pick<Dependencies, 'listImports'>, { origin }: WorkspaceVisit) =>
  deps.listImports[origin.environment];

/** Throws `not_found` unless the id has this form and `find` finds it. */
export async function findImport<Found>(id: string, find: () => Promise<Found | undefined>): Promise<Found> {
  const found = isDerivedId(id) ? await find() : undefined;
  if (!found) throw new AppError('not_found', 'This import is no longer stored. Begin it again.');
  return found;
}

export const findProgress = (deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<ImportProgress> =>
  findImport(id, () => importsOf(deps, visit).find(ownerOf(visit), id, deps.clock.now()));

/** The progress of a copy. Throws `not_found` for the import of a file. */
export const findCopy = (deps: Dependencies, visit: WorkspaceVisit, id: string) =>
  findImport(id, async () => {
    const found = await importsOf(deps, visit).find(ownerOf(visit), id, deps.clock.now());
    return found?.copy ? { ...found, copy: found.copy } : undefined;
  });

export async function runStep(
  deps: Dependencies,
  visit: WorkspaceVisit,
  id: string,
  { next, add }: ImportCalls,
): Promise<void> {
  const deadline = createDeadline(stepMs, { clock: deps.clock });
  for (let calls = 0; calls < callsPerStep && deadline.remainingMs > 0; calls++) {
    const progress = await findProgress(deps, visit, id);
    const call = await next(progress);
    if (!call) return;
    const added = await add(call.stores, progress);
    const rest = call.rest === undefined ? {} : { rest: call.rest };
    await importsOf(deps, visit).count(progress, { sent: call.stores.length, added, ...rest });
  }
}
