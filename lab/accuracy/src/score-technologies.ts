import { slugOf } from '@shopscope/fingerprint/slug';
import type { LabelledTechnology } from './labels.ts';
import { lettersOf } from './score-profile.ts';

/** A technology that a detector named on a page. Wappalyzer names no confidence and no state of ours. */
export interface NamedTechnology {
  slug: string;
  name: string;
  category: string;
  confidence?: string;
  installState?: string;
}

/**
 * Neither named nor missed: public hosts of libraries are nothing that a site runs, and implied software shows nothing of
 * itself. The labels do not list them.
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
 * Compares the technologies of one page with its labels. A label without slug is found by its name, because the vocabulary
 * grows. Each label counts once.
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
