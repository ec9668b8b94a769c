import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/**
 * Test hostnames and where they are served: `{ "shop.example": { "address": "127.0.0.1", "port": 8090, "tls": false } }`.
 * Only a development or test environment may have the file. It is read again whenever it changes; a file that is not
 * there is an empty map, and one that cannot be understood leaves the last good map in force.
 */
export interface ScanHost {
  address: string;
  port: number;
  tls: boolean;
}

export interface ScanHosts {
  find(hostname: string): ScanHost | undefined;
}

const fileSchema = z.record(
  z.string(),
  z.object({
    address: z.union([z.ipv4(), z.ipv6()]),
    port: z.int().min(1).max(65_535),
    tls: z.boolean().default(false),
  }),
);

export const noScanHosts: ScanHosts = { find: () => undefined };

export function fixedScanHosts(hosts: Readonly<Record<string, ScanHost>>): ScanHosts {
  return { find: (hostname) => (Object.hasOwn(hosts, hostname) ? hosts[hostname] : undefined) };
}

export function scanHostsFile(path: string, onError: (error: unknown) => void): ScanHosts {
  let hosts = noScanHosts;
  let readVersion = '';
  const refresh = () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const version = stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : '';
    if (version === readVersion) return;
    readVersion = version;
    try {
      hosts = stat ? fixedScanHosts(fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))) : noScanHosts;
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
