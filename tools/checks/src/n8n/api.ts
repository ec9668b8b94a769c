/** The API as the check itself uses it. */
export type Api = ReturnType<typeof createApi>;

const timeoutMs = 30_000;

export function createApi(apiUrl: string, key: string) {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    createList: async (name: string) => (await call<{ id: string }>('POST', '/v1/lists', { name })).id,
    domainsOfList: async (id: string) =>
      (await call<{ data: { domain: string }[] }>('GET', `/v1/lists/${id}/stores?limit=200`)).data.map(
        ({ domain }) => domain,
      ),
    webhookUrls: async () =>
      (await call<{ data: { url: string }[] }>('GET', '/v1/webhooks?limit=200')).data.map(({ url }) => url),
    requestScan: (domain: string) => call<{ id: string }>('POST', `/v1/stores/${domain}/scans`),
    /** The units that all keys of the workspace have used. */
    async usedLookups(): Promise<number> {
      const usage = await call<{ by_key: { used: { lookup_cached: number } }[] }>('GET', '/v1/usage');
      return usage.by_key.reduce((sum, { used }) => sum + used.lookup_cached, 0);
    },
  };
}
