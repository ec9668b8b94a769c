import type { TechnologyKind } from '../types.ts';

/**
 * Where a pattern searches:
 * - `script`: URLs of scripts, including those of inline loaders and of Shopify's app list
 * - `asset`: URLs of style sheets, frames and form targets
 * - `image`: URLs of images
 * - `anchor`: targets of links within the site
 * - `inline`: text of inline scripts
 * - `js`: names of globals that inline scripts set or use
 * - `html`: the markup as text
 * - `dom`: a CSS selector
 * - `meta`, `header`, `cookie`: by name
 * - `url`: the URL of the page
 */
export type Channel =
  | 'script'
  | 'asset'
  | 'image'
  | 'anchor'
  | 'inline'
  | 'js'
  | 'html'
  | 'dom'
  | 'meta'
  | 'header'
  | 'cookie'
  | 'url';

export interface Pattern {
  channel: Channel;
  /** Name of the meta tag, header or cookie; path of the global; CSS selector; otherwise empty. */
  key: string;
  /** Regular expression (linear-time syntax) for the value. Empty: presence is enough. */
  regex: string;
  caseSensitive?: boolean;
  /** Replacement template with `\1` groups and `\1?a:b` choices. Empty: no version. */
  version: string;
  /** 0–100: the strength of one match. Below 50 is weak. */
  weight: number;
  /** `dom` only: the attribute, or `text`, that the regular expression reads. Empty: the element's existence. */
  attribute?: string;
}

export interface Rule {
  slug: string;
  name: string;
  kind: TechnologyKind;
  category: string;
  vendor: string;
  website: string;
  listingUrl: string | null;
  patterns: Pattern[];
  /** Slugs. */
  implies: string[];
  requires: string[];
  /** Category slugs. */
  requiresCategory: string[];
  excludes: string[];
}
