import type { Store } from '../../../src/stores/domain/store.ts';

const at = '2026-01-15T11:58:41.000Z';

/** A store as profiles sends it. */
export function testStore(domain: string, over: Partial<Store> = {}): Store {
  const confirmed = { confidence: 'high', first_observed_at: at, last_confirmed_at: at };
  return {
    brand_group_id: 'bg_1',
    domain,
    storefront_host: `www.${domain}`,
    storefront_id: 'sf_1',
    name: `Shop of ${domain}`,
    profile_url: `https://shopscope.example/stores/${domain}`,
    catalog: {
      as_of: at,
      product_count: 184,
      available_count: 171,
      coverage: 'first_page',
      currency: 'EUR',
      price_range: { median: 39.9, p25: 24.5, p75: 69 },
    },
    geography: { basis: 'observed', country: 'DE' },
    industry: { basis: 'classified', slug: 'home-garden' },
    observation: { coverage_note: null, last_completed_scan_at: at, scope: 'full' },
    platform: { name: 'Shopify', slug: 'shopify', ...confirmed },
    status: { state: 'active_storefront', as_of: at },
    technologies: [
      { category: 'reviews', install_state: 'configured', name: 'Judge.me', slug: 'judge-me', ...confirmed },
      { category: 'analytics', install_state: 'active', name: 'Matomo', slug: 'matomo', ...confirmed },
    ],
    recent_signals: [
      {
        id: 'evt_1',
        type: 'technology_added',
        technology: 'matomo',
        from: null,
        to: 'active',
        confidence: 'high',
        effective_at: at,
        confirmed_at: at,
      },
    ],
    ...over,
  };
}
