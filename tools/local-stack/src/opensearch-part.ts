import { requireSameNodes } from './begun-data.ts';
import { dockerOpenSearch, isDockerAvailable } from './docker.ts';
import { nativeOpenSearch } from './opensearch.ts';
import type { StackPart } from './part.ts';
import { portsOf } from './server-ports.ts';
import { externalPart, requireNative } from './sources.ts';
import { nativeOptions, type StackOptions } from './stack-options.ts';
import { type Started, startTogether } from './start-together.ts';

/** Returns OpenSearch from the source that the options select. */
export async function openSearchPart(options: StackOptions): Promise<StackPart> {
  const { stateDir, env = {}, nodes = 1 } = options;
  const { SHOPSCOPE_OPENSEARCH_URL: url } = env;
  if (nodes === 3) await requireNative(env, ['SHOPSCOPE_OPENSEARCH_URL']);
  else if (url) return externalPart('opensearch', url);
  const [ports, transportPorts] = [await portsOf(options, 'opensearch'), await portsOf(options, 'opensearchTransport')];
  if (env.SHOPSCOPE_STACK !== 'native' && (await isDockerAvailable())) {
    return dockerOpenSearch(ports[0] as number, stateDir);
  }
  const both = ports.map((port, n) => ({ port, transportPort: transportPorts[n] as number }));
  return nativeOpenSearch({ ...nativeOptions(options), ports: both });
}

/** Starts only OpenSearch, for programs whose other servers already run. */
export function startOpenSearch(options: StackOptions): Promise<Started<{ opensearch: StackPart }>> {
  return startTogether(async (abort) => {
    requireSameNodes(options);
    return { opensearch: await openSearchPart({ ...options, abort }) };
  }, options.abort);
}
