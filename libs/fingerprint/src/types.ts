/** A further document of the same site: `/products.json`, `robots.txt`, a response of the Store API. */
export interface Resource {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One fetched page. Header names may have any case. `cookies`: values of `Set-Cookie`, or `name=value`. */
export interface PageInput {
  url: string;
  status: number;
  headers: Record<string, string | string[]>;
  cookies?: string[];
  html: string;
  resources?: Resource[];
  /** The requested host, before redirects. `url` is the final URL. */
  requestedHost?: string;
}

export type Confidence = 'high' | 'medium' | 'low';
export type TechnologyKind = 'platform' | 'app' | 'service' | 'theme';
/**
 * `active`: the page loads its script or shows its element. `configured`: only a setting, a preconnect or an inline
 * key.
 */
export type InstallState = 'configured' | 'active';

export interface DetectedTechnology {
  slug: string;
  name: string;
  kind: TechnologyKind;
  /** Category slug. */
  category: string;
  confidence: Confidence;
  installState: InstallState;
  version?: string;
}

export interface DetectedPlatform {
  slug: string;
  name: string;
  confidence: Confidence;
}

/** Prices in major units of `currency`, rounded to cents. Not observed: `none`, 0, null, `XXX`, prices 0. */
export interface Catalog {
  coverage: 'first_page' | 'full' | 'none';
  productCount: number;
  availableCount: number | null;
  /** ISO 4217. */
  currency: string;
  priceRange: { p25: number; median: number; p75: number };
}

export type StatusState =
  | 'active_storefront'
  | 'password_protected'
  | 'redirected'
  | 'parked'
  | 'unreachable'
  | 'closed'
  | 'not_a_storefront';

export interface StoreObservation {
  /** Without a known platform: slug `custom`, name `Custom`, confidence low. */
  platform: DetectedPlatform;
  /** Sorted by slug. Contains the platform, unless it is `custom`. */
  technologies: DetectedTechnology[];
  name: string;
  /** ISO 3166-1 alpha-2; `ZZ` when unknown. */
  geography: { country: string; basis: 'observed' | 'declared' | 'inferred' | 'unknown' };
  /** `unclassified` when unknown. */
  industry: { slug: string; basis: 'classified' | 'declared' | 'unknown' };
  catalog: Catalog;
  status: { state: StatusState };
}

export interface VocabularyEntry {
  slug: string;
  name: string;
  kind: TechnologyKind;
  category: string;
  vendor: string;
  website: string;
  /** null: the listing is the Shopscope page about the technology. */
  listingUrl: string | null;
}
