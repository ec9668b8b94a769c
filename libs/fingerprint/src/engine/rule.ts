import type { TechnologyKind } from '../types.ts';

/**
 * Where a pattern looks:
 * `script` URLs of scripts, also those that inline loaders and Shopify's app list load; `asset` URLs of style sheets,
 * frames and form targets; `image` URLs of images; `anchor` targets of links within the site; `inline` text of inline scripts; `js` names of globals that inline scripts set or
 * use; `html` the markup as text; `dom` a CSS selector; `meta`, `header`, `cookie` by name; `url` the page's own address.
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
  /** Meta, header and cookie name; js path; CSS selector; empty elsewhere. */
  key: string;
  /** Regular expression (linear-time syntax) to be found in the value; empty: presence suffices. */
  regex: string;
  caseSensitive?: boolean;
  /** Replacement template with `\1` groups and `\1?a:b` choices; empty: no version. */
  version: string;
  /** 0–100: how much one match says alone. Below 50 is weak. */
  weight: number;
  /** `dom` only: which attribute, or `text`, the regular expression reads; empty: the element's existence. */
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
