import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreDefinition } from './store.ts';

/** The address of a test host name. */
export interface ScanHost {
  address: string;
  port: number;
  tls: boolean;
}
export type ScanHosts = Record<string, ScanHost>;

/** All names of the stores. The name of a dead store points to a port without a listener (tcpmux, 1). */
export function scanHostsOf(stores: readonly StoreDefinition[], address: string, port: number): ScanHosts {
  const hosts: ScanHosts = {};
  for (const store of stores) {
    const target = { address, port: store.state === 'dead' ? 1 : port, tls: false };
    hosts[store.domain] = target;
    if (store.host) hosts[store.host] = target;
  }
  return hosts;
}

/** Writes the file atomically. A concurrent reader gets the old or the new file. */
export async function writeScanHosts(file: string, hosts: ScanHosts): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(hosts, null, 2)}\n`);
  await rename(draft, file);
}
