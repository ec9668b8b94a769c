import { AppError } from '@shopscope/errors';
import type { Technology } from '@shopscope/proto';
import type { PlatformCount, Usage } from '../domain/corpus-count.ts';
import type { Dependencies } from './dependencies.ts';

export interface TechnologyWithUsage {
  technology: Technology;
  /** Undefined if the corpus has not been counted yet. */
  usage: (Usage & { platforms: NamedPlatformCount[]; countedAt: Date }) | undefined;
}

interface NamedPlatformCount extends PlatformCount {
  name: string;
}

const unused: Usage = { stores: 0, platforms: [], storesOnOtherPlatforms: 0 };

/** Returns a technology of the vocabulary and its usage in the corpus. It reads only memory, not the database. */
export function getTechnology(
  deps: Pick<Dependencies, 'technologies' | 'corpusCount'>,
  slug: string,
): TechnologyWithUsage {
  const technology = deps.technologies.find(slug);
  if (!technology) throw new AppError('not_found', 'The vocabulary has no such technology.');
  const count = deps.corpusCount();
  if (!count) return { technology, usage: undefined };
  const { platforms, ...usage } = count.usage.get(technology.slug) ?? unused;
  const nameOf = (platform: string) => deps.technologies.find(platform)?.name ?? platform;
  const named = platforms.map((platform) => ({ ...platform, name: nameOf(platform.slug) }));
  return { technology, usage: { ...usage, platforms: named, countedAt: count.countedAt } };
}
