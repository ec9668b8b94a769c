import type { VocabularyEntry } from '../types.ts';

/**
 * The part of the page that a pattern searches:
 * - `script`: URLs of scripts, including those of inline loaders and of Shopify's app list
 * - `asset`: URLs of style sheets, frames and form targets
 * - `image`: URLs of images
 * - `anchor`: targets of links within the site
 * - `inline`: text of inline scripts, without comments
 * - `init`: like `inline`, but the match starts the product (a service with an id) or inserts its script: its state is active
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
  /** The name of the meta tag, header or cookie; path of the global; CSS selector; handle; kind of record. Otherwise empty. */
  key: string;
  /** A regular expression (linear-time syntax) for the value. If it is empty, presence is enough. */
  regex: string;
  caseSensitive?: boolean;
  /** A template with groups `\1` and choices `\1?a:b`. If it is empty, the pattern states no version. */
  version: string;
  /** 0–100: the strength of one match. Below 50 is weak. */
  weight: number;
  /** Only for `dom`: the attribute that the regular expression reads, or `text`. If it is empty, the element only has to exist. */
  attribute?: string;
  /** Only for `inline` and `init`: the end of the match must be outside of string literals. This is for code that begins with a quote. */
  unquoted?: boolean;
  /** Whether no public document states the trace. Such a trace never makes a technology certain. */
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
