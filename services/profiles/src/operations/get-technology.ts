import { AppError } from '@shopscope/errors';
import type { Technology } from '@shopscope/proto';
import type { Dependencies } from './dependencies.ts';

/** Returns a technology of the vocabulary by its slug, or by an earlier slug of the product. */
export function getTechnology({ technologies }: Pick<Dependencies, 'technologies'>, slug: string): Technology {
  const technology = technologies.find(slug);
  if (!technology) throw new AppError('not_found', 'The vocabulary has no such technology.');
  return technology;
}
