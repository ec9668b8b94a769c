/** The discovery documents in the examples of openapi.json. */
const authentication = {
  header: 'Authorization',
  keys_url: 'https://shopscope.example/settings/api-keys',
  scheme: 'bearer',
};

export const indexExample = {
  authentication,
  documentation_url: 'https://shopscope.example/docs',
  endpoints: {
    getAccount: 'https://api.shopscope.example/v1/account',
    getStore: 'https://api.shopscope.example/v1/stores/{domain}',
  },
  openapi_url: 'https://api.shopscope.example/v1/openapi.json',
  version: '1.0.0',
};

export const hostExample = {
  name: 'Shopscope',
  description: 'What is known about any web store, by domain.',
  documentation_url: 'https://shopscope.example/docs',
  graphql: { url: 'https://api.shopscope.example/v1/graphql', access: 'api_key' },
  rest: {
    base_url: 'https://api.shopscope.example/v1',
    openapi_url: 'https://api.shopscope.example/v1/openapi.json',
    version: '1.0.0',
    authentication,
  },
};
