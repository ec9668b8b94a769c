import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreDefinition } from './store.ts';

export interface TestHost {
  address: string;
  port: number;
  tls: boolean;
}
export type TestHosts = Record<string, TestHost>;

/** All names of the stores. The name of a dead store points to a port without a listener (tcpmux, 1). */
export function testHostsOf(stores: readonly StoreDefinition[], address: string, port: number): TestHosts {
  const hosts: TestHosts = {};
  for (const store of stores) {
    const target = { address, port: store.state === 'dead' ? 1 : port, tls: false };
    hosts[store.domain] = target;
    if (store.host) hosts[store.host] = target;
  }
  return hosts;
}

/** Writes the file atomically. A concurrent reader gets the old or the new file. */
export async function writeTestHosts(file: string, hosts: TestHosts): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(hosts, null, 2)}\n`);
  await rename(draft, file);
}
