/** Less than the time limit of a hook. A start on a machine on which others work takes more than a minute. */
const startTimeoutMs = 230_000;
const requestTimeoutMs = 60_000;

/** The server of the environment, or the one that the test run starts at the first request (tools/local/src/test/on-demand.ts). */
export async function openSearchOfTheRun(env: NodeJS.ProcessEnv): Promise<string> {
  const { SHOPSCOPE_OPENSEARCH_URL: url, SHOPSCOPE_TEST_OPENSEARCH: onDemand } = env;
  if (url) return url;
  if (!onDemand) throw new Error('SHOPSCOPE_OPENSEARCH_URL is not set; run the tests with npm test, or set it');
  const response = await fetch(onDemand, { signal: AbortSignal.timeout(startTimeoutMs) });
  const text = await response.text();
  if (!response.ok) throw new Error(`OpenSearch could not be started: ${text}`);
  return text;
}

export async function deleteIndexes(url: string, prefix: string): Promise<void> {
  const [first] = url.split(',');
  const names = await request('GET', `${first}/_cat/indices/${prefix}*?h=index&expand_wildcards=all`);
  for (const name of names.split('\n').filter((line) => line !== '')) await request('DELETE', `${first}/${name}`);
}

async function request(method: string, url: string): Promise<string> {
  const response = await fetch(url, { method, signal: AbortSignal.timeout(requestTimeoutMs) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} was answered with ${response.status}: ${text}`);
  return text;
}
