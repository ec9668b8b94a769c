import ipaddr from 'ipaddr.js';
import { bareAddress } from './address-policy.ts';

/** Where a test host is reached. Its address is not checked, and any certificate is accepted. */
export interface TestHost {
  address: string;
  /** Default: the port of the URL. */
  port?: number;
  /** Whether the host is reached by https or by http. Default: as the URL says. */
  tls?: boolean;
}

/** The hosts that the address policy does not apply to. Only a development or test environment may have any. */
export interface TestHosts {
  find(hostname: string): TestHost | undefined;
}

export const noTestHosts: TestHosts = { find: () => undefined };

/** This machine: `localhost` and the loopback addresses, at every port. */
export const loopbackHosts: TestHosts = {
  find(hostname) {
    const address = hostname === 'localhost' ? '127.0.0.1' : bareAddress(hostname);
    return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback' ? { address } : undefined;
  },
};

export function fixedTestHosts(hosts: Readonly<Record<string, TestHost>>): TestHosts {
  return { find: (hostname) => (Object.hasOwn(hosts, hostname) ? hosts[hostname] : undefined) };
}
