import type { VocabularyEntry } from '../types.ts';

/**
 * Where a pattern searches:
 * - `script`: URLs of scripts, including those of inline loaders and of Shopify's app list
 * - `asset`: URLs of style sheets, frames and form targets
 * - `image`: URLs of images
 * - `anchor`: targets of links within the site
 * - `inline`: text of inline scripts, without comments
 * - `init`: as `inline`; the match starts the product (a service with an id) or inserts its script, so its state is active
 * - `js`: names of globals that inline scripts set or use
 * - `html`: the markup as text, without comments and the content of scripts
 * - `comment`: the comments of the markup, with their delimiters
 * - `dom`: a CSS selector
 * - `meta`, `header`, `cookie`: by name
 * - `url`: the URL of the page
 * - `inventory`: a handle of an inventory that the page prints, such as a plugin folder
 * - `dns`, `certificate`: records of the domain and names of the certificate; see `page/records.ts`
 */
export type Channel =
  | 'script'
  | 'asset'
  | 'image'
  | 'anchor'
  | 'inline'
  | 'init'
  | 'js'
  | 'html'
  | 'comment'
  | 'dom'
  | 'meta'
  | 'header'
  | 'cookie'
  | 'url'
  | 'inventory'
  | 'dns'
  | 'certificate';

export interface Pattern {
  channel: Channel;
  /** Name of the meta tag, header or cookie; path of the global; CSS selector; handle; kind of record; otherwise empty. */
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
  /** `inline` and `init` only: the end of the match is in no string literal. For code that begins with a quote. */
  unquoted?: boolean;
  /** No public document states the trace. It never makes a technology certain. */
  unsourced?: boolean;
}

export interface Rule extends VocabularyEntry {
  patterns: Pattern[];
  /** Slugs. */
  implies: string[];
  requires: string[];
  /** Category slugs. */
  requiresCategory: string[];
  excludes: string[];
}
