import type { Filters } from '@shopscope/proto';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

/**
 * Returns the filters with the present slugs of technologies and platforms. Throws `invalid_request` with near values for the first value that
 * does not exist.
 */
export async function checkFilters(
  { profiles }: Pick<Dependencies, 'profiles'>,
  { origin }: Pick<WorkspaceVisit, 'origin'>,
  { signalTypes, confidenceMin, ...values }: Filters,
): Promise<Filters> {
  if (Object.values(values).every(({ length }) => length === 0)) return { ...values, signalTypes, confidenceMin };
  return { ...(await profiles.resolveValues(values, origin)), signalTypes, confidenceMin };
}
