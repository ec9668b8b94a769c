import type { Environment } from '@shopscope/environment';

/** Documents to begin with in the form that tries GraphQL. */
export interface GraphqlExample {
  id: string;
  title: string;
  query: string;
  variables?: object;
}

/** The examples, with stores that the environment can have. The first one is shown at the beginning. */
export function graphqlExamplesOf(environment: Environment): readonly GraphqlExample[] {
  const stores = environment === 'test' ? ['matched.test', 'stale.test', 'unknown.test'] : ['shop.example'];
  const [domain] = stores;
  return [
    {
      id: 'store',
      title: 'One store',
      variables: { domain },
      query: `query Store($domain: String!) {
  store(domain: $domain) {
    match
    store {
      name
      status { state }
      geography { country }
      platform { slug confidence }
      technologies { slug category install_state }
    }
  }
}`,
    },
    {
      id: 'stores',
      title: 'Several stores',
      variables: { domains: stores },
      query: `query Stores($domains: [String!]!) {
  stores(domains: $domains) {
    input
    match
    store { domain name platform { slug } }
  }
}`,
    },
    {
      id: 'history',
      title: 'History of a store',
      variables: { domain },
      query: `query History($domain: String!) {
  history(domain: $domain, first: 10) {
    edges { node { type technology from to effective_at } }
    pageInfo { hasNextPage endCursor }
  }
}`,
    },
    {
      id: 'signals',
      title: 'Newest signals',
      query: `query Signals {
  signals(first: 10, type: [technology_added, technology_removed]) {
    edges { node { domain type technology confirmed_at } }
    pageInfo { hasNextPage endCursor }
  }
}`,
    },
    {
      id: 'usage',
      title: 'Account and usage',
      query: `query Usage {
  account { plan { slug limits { freshness_days } } }
  usage { period { ends_at used { lookup_cached history_query } } }
}`,
    },
    {
      id: 'types',
      title: 'Types of the schema',
      query: `query Types {
  __schema { types { name description } }
}`,
    },
  ];
}
