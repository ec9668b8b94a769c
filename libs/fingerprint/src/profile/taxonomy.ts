import data from '../data/industries.rules.json' with { type: 'json' };

/** An industry with the words of its products; see `data/industries.yaml`. */
export interface Industry {
  slug: string;
  /** Empty: services, which the taxonomy of products does not have. */
  category: string;
  strong: readonly string[];
  weak: readonly string[];
}

export const industries: readonly Industry[] = data.industries;

/** Phrases of any shop. Their words count for no industry: "gift card", "cookie policy". */
export const neutralPhrases: readonly string[] = data.neutral;
