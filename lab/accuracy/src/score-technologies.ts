import { slugOf } from '@shopscope/fingerprint/slug';
import type { LabelledTechnology } from './labels.ts';
import { lettersOf } from './score-profile.ts';

/** A technology that a detector named on a page. Wappalyzer states neither our confidence nor our install state. */
export interface NamedTechnology {
  slug: string;
  name: string;
  category: string;
  confidence?: string;
  installState?: string;
}

/**
 * Technologies that count neither as named nor as missed, because the labels do not list them: public hosts of libraries, which the
 * site does not run, and software that is only implied, which the page does not show.
 */
const leftOut: ReadonlySet<string> = new Set([
  'bootstrapcdn',
  'cdnjs',
  'google-hosted-libraries',
  'java',
  'jquery-cdn',
  'jsdelivr',
  'maxcdn',
  'microsoft-ajax-content-delivery-network',
  'mysql',
  'php',
  'unpkg',
]);

const isLeftOut = ({ slug, name }: { slug: string | null; name: string }): boolean =>
  leftOut.has(slug ?? '') || leftOut.has(slugOf(name));

export interface TechnologyMatch {
  named: NamedTechnology[];
  /** Labels that were not found. */
  missed: LabelledTechnology[];
  right: { named: NamedTechnology; label: LabelledTechnology }[];
  wrong: NamedTechnology[];
}

/**
 * Compares the technologies of one page with its labels. A label without a slug is found by its name, because the vocabulary may
 * have got the slug later. Each label counts once.
 */
export function matchTechnologies(
  all: readonly NamedTechnology[],
  labels: readonly LabelledTechnology[],
): TechnologyMatch {
  const named = all.filter((technology) => !isLeftOut(technology));
  const open = new Set(labels.filter((label) => !isLeftOut(label)));
  const right: TechnologyMatch['right'] = [];
  const wrong: NamedTechnology[] = [];
  for (const technology of named) {
    const label = [...open].find((candidate) => isSame(technology, candidate));
    if (!label) wrong.push(technology);
    else {
      right.push({ named: technology, label });
      open.delete(label);
    }
  }
  return { named, missed: [...open], right, wrong };
}

function isSame(named: NamedTechnology, label: LabelledTechnology): boolean {
  if (label.slug !== null) return named.slug === label.slug;
  return named.slug === slugOf(label.name) || lettersOf(named.name) === lettersOf(label.name);
}
