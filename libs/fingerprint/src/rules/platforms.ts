import platforms from '../data/platforms.rules.json' with { type: 'json' };
import type { Pattern } from '../engine/rule.ts';

/** A platform with own rules; see `data/platforms.yaml`. */
export interface OwnPlatform {
  slug: string;
  name: string;
  vendor: string;
  website: string;
  /** `shop`: every site is a store. `mixed`: many sites sell nothing. */
  use: 'shop' | 'mixed';
  implies: string[];
  /** Platforms whose traces this one kept, because it began as a copy of them. */
  succeeds?: string[];
  patterns: Pattern[];
}

export const platformRules = platforms as readonly OwnPlatform[];
