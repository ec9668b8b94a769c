/** A further document of the same site: `/products.json`, `robots.txt`, a response of the Store API. */
export interface Resource {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Kinds of DNS records:
 *
 * - `cname`: the targets of the store's host, the nearest first
 * - `mx`, `ns`, `txt`: records of the registrable domain
 * - `dkim`, `help`: targets of names below the registrable domain that vendors let merchants create, as `label target`
 */
export const dnsKinds = ['cname', 'mx', 'ns', 'txt', 'dkim', 'help'] as const;
export type DnsKind = (typeof dnsKinds)[number];

/** Host names are in lower case without a trailing dot. A kind without an answer is absent. A kind without records is empty. */
export type DnsRecords = Partial<Record<DnsKind, readonly string[]>>;

/** The certificate that the host of the store presented. */
export interface Certificate {
  /** Host names in lower case. */
  names: readonly string[];
  /** The organization of the issuer. May be empty. */
  issuer: string;
}

/** One fetched page. Header names may have any case. `cookies`: values of `Set-Cookie`, or `name=value`. */
export interface PageInput {
  url: string;
  status: number;
  headers: Record<string, string | string[]>;
  cookies?: string[];
  html: string;
  /** Whether the charset was guessed and the guess is unsure. In names, any letter outside of ASCII may then be wrong. */
  isTextUnsure?: boolean;
  resources?: Resource[];
  /** The requested host, before redirects. `url` is the final URL. */
  requestedHost?: string;
  dns?: DnsRecords;
  certificate?: Certificate;
}

export type Confidence = 'high' | 'medium' | 'low';
export type TechnologyKind = 'platform' | 'app' | 'service' | 'theme';
/** `active`: the page loads its script or shows its element. `configured`: the page has only a setting, a preconnect or an inline key. */
export type InstallState = 'configured' | 'active';

export const furtherPageKinds = ['imprint', 'contact', 'about', 'product', 'cart'] as const;
export type FurtherPageKind = (typeof furtherPageKinds)[number];

/** A further page of the site that may show what the home page does not. */
export interface FurtherPage {
  kind: FurtherPageKind;
  url: string;
}

/** The source that shows a technology: the kind of page, the kind of DNS record, or the certificate. */
export type Source = 'home' | FurtherPageKind | `dns.${DnsKind}` | 'certificate';

export interface DetectedTechnology {
  slug: string;
  name: string;
  kind: TechnologyKind;
  /** Category slug. */
  category: string;
  confidence: Confidence;
  installState: InstallState;
  version?: string;
  /** All sources that show it. A technology counts as absent only after all of them have been read again without it. */
  sources: readonly Source[];
}

export interface DetectedPlatform {
  slug: string;
  name: string;
  confidence: Confidence;
}

/** Prices are in major units of `currency`, rounded to its minor units. A catalogue that was not observed has `none`, 0, null, `XXX` and prices of 0. */
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

/**
 * `declared`: the site states its name. `observed`: two of logo, copyright line, title and host agree on it. `domain`: no sources agree,
 * and the name is the domain itself.
 */
export type NameBasis = 'declared' | 'observed' | 'domain';

export interface StoreObservation {
  /** If no platform is known, the slug is `custom`, the name `Custom` and the confidence low. */
  platform: DetectedPlatform;
  /** Sorted by slug. Contains the platform, unless it is `custom`. */
  technologies: DetectedTechnology[];
  name: string;
  nameBasis: NameBasis;
  /** ISO 3166-1 alpha-2. `ZZ` if it is unknown. */
  geography: { country: string; basis: 'observed' | 'declared' | 'inferred' | 'unknown' };
  /** `unclassified` if it is unknown. */
  industry: { slug: string; basis: 'classified' | 'declared' | 'unknown' };
  catalog: Catalog;
  status: { state: StatusState };
  /** Internal: plugin folders, app handles and similar names that are missing in the table of inventories. */
  unknownHandles: string[];
  /** The most useful page is first. Empty if nothing is missing. */
  furtherPages: readonly FurtherPage[];
}

export interface VocabularyEntry {
  slug: string;
  name: string;
  kind: TechnologyKind;
  category: string;
  vendor: string;
  website: string;
  /** Null means that the listing is the Shopscope page about the technology. */
  listingUrl: string | null;
}
