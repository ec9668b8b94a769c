const members = `domain name storefront_host profile_url
  catalog { as_of product_count available_count coverage currency price_range { median p25 p75 } }
  geography { basis country } industry { basis slug } observation { coverage_note last_completed_scan_at scope }
  platform { name slug confidence first_observed_at last_confirmed_at } status { state as_of }
  technologies { category confidence first_observed_at install_state last_confirmed_at name slug }
  recent_signals { id type technology from to confidence effective_at confirmed_at }`;

/** Returns a GraphQL request that reads all members of the stores, as often as `times`. */
export const testDocument = (domains: readonly string[], times: number) => ({
  query: `query ($domains: [String!]!) {
    ${Array.from({ length: times }, (_, n) => `a${n}: stores(domains: $domains) { ...results }`).join(' ')}
  }
  fragment results on EnrichResult { input match reason store { ${members} } }`,
  variables: { domains },
});
