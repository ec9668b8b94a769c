import { readFileSync, statSync } from 'node:fs';
import { fixedTestHosts, noTestHosts, type TestHost, type TestHosts } from '@shopscope/outbound-http';
import { z } from 'zod';

/**
 * Files with test hosts and their addresses: `{ "shop.example": { "address": "127.0.0.1", "port": 8090, "tls": false } }`. Only a
 * development or test environment may have such files.
 *
 * - Several files name a host -> the first of these files wins.
 * - A file changes -> it is read again before the next look-up.
 * - A file does not exist -> it counts as an empty map.
 * - A file is invalid -> its last valid map stays in force, and `onError` is called once per version of the file.
 */
const fileSchema = z.record(
  z.string(),
  z.object(
    {
      address: z.union([z.ipv4(), z.ipv6()], 'must be an IP address'),
      port: z.int('must be a port number').min(1, 'must be a port number').max(65_535, 'must be a port number'),
      tls: z.boolean('must be true or false').default(false),
    },
    'must be an object with address and port',
  ),
  'the file must be a JSON object with one entry per host name',
);

/** Parses the content of a file. Throws an Error whose message names the first invalid entry. */
export function parseTestHosts(text: string): Record<string, TestHost> {
  const checked = fileSchema.safeParse(JSON.parse(text));
  const [issue] = checked.error?.issues ?? [];
  if (issue) throw new Error(issue.path.length > 0 ? `${issue.path.join(' ')} ${issue.message}` : issue.message);
  const hosts = checked.data ?? {};
  const invalidName = Object.keys(hosts).find((name) => !isUrlHostname(name));
  if (invalidName !== undefined) throw new Error(`${invalidName} must be a host name in lower case and in Punycode`);
  return hosts;
}

/** Look-ups use the host name of a parsed URL. A name in another form would never be found. */
function isUrlHostname(name: string): boolean {
  return URL.parse(`http://${name}/`)?.hostname === name;
}

export function testHostsFiles(paths: readonly string[], onError: (path: string, error: unknown) => void): TestHosts {
  const files = paths.map((path) => testHostsFile(path, (error) => onError(path, error)));
  return {
    find(hostname) {
      for (const file of files) {
        const host = file.find(hostname);
        if (host) return host;
      }
      return undefined;
    },
  };
}

function testHostsFile(path: string, onError: (error: unknown) => void): TestHosts {
  let hosts = noTestHosts;
  let readVersion = '';
  const refresh = () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const version = stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : '';
    if (version === readVersion) return;
    readVersion = version;
    try {
      hosts = stat ? fixedTestHosts(parseTestHosts(readFileSync(path, 'utf8'))) : noTestHosts;
    } catch (error) {
      onError(error);
    }
  };
  return {
    find(hostname) {
      refresh();
      return hosts.find(hostname);
    },
  };
}
