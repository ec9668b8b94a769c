/** The Store object of the public contract, as profiles keeps it. */
export interface Store {
  brand_group_id: string;
  domain: string;
  storefront_host: string;
  storefront_id: string;
  name: string;
  profile_url: string;
  catalog: {
    as_of: string;
    product_count: number;
    available_count: number | null;
    coverage: string;
    currency: string;
    price_range: { median: number; p25: number; p75: number };
  };
  geography: { basis: string; country: string };
  industry: { basis: string; slug: string };
  observation: { coverage_note: string | null; last_completed_scan_at: string; scope: string };
  platform: {
    name: string;
    slug: string;
    confidence: string;
    first_observed_at: string;
    last_confirmed_at: string;
  };
  status: { state: string; as_of: string };
  technologies: StoreTechnology[];
  /** The latest confirmed changes. */
  recent_signals: StoreSignal[];
}

export interface StoreTechnology {
  category: string;
  confidence: string;
  first_observed_at: string;
  install_state: string;
  last_confirmed_at: string;
  name: string;
  slug: string;
}

export interface StoreSignal {
  id: string;
  type: string;
  technology: string;
  from: string | null;
  to: string | null;
  confidence: string;
  effective_at: string;
  confirmed_at: string;
}
