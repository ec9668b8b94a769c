import { invalidField } from '@shopscope/errors';
import type { Dependencies } from './dependencies.ts';

/** A watchlist can name this many technologies. */
const maxSlugs = 100;

/** Returns the current slugs of technologies that signals can name. Throws `invalid_request` for the first slug that does not exist. */
export function resolveTechnologies(
  { knownValues }: Pick<Dependencies, 'knownValues'>,
  slugs: readonly string[],
): readonly string[] {
  if (slugs.length > maxSlugs) throw invalidField('technologies', `must have at most ${maxSlugs} entries`);
  return knownValues.listOf('technology', slugs, 'technologies') ?? [];
}
