import { canonicalizeDomain, privateSuffixOf, withNamesAbove } from '@shopscope/domain-name';
import { type Address, isWithin, type Network, parseNetwork } from './address.ts';

/** A domain or a network that no scanner may visit, because its owner asked for it or the operator decided it. */
export interface OptOut {
  /** A registrable domain, a private public suffix such as github.io, or a network such as 203.0.113.0/24. */
  subject: string;
  reason: string;
  actor: string;
  createdAt: Date;
  /** Null while the entry is in force. */
  removedAt: Date | null;
  removedBy: string;
}

export const isNetwork = (subject: string): boolean => parseNetwork(subject) !== null;

/** Returns the time of a change of an entry. It is later than the change before, even if the clock of this instance is behind. */
export const timeOfChange = (now: Date, before: Date | null | undefined): Date =>
  before && before >= now ? new Date(before.getTime() + 1) : now;

/**
 * Returns the subject in normal form. Returns null if the text is neither a network, nor a name below a public suffix, nor a suffix of the
 * private section of the list.
 */
export function subjectOf(text: string): string | null {
  const network = parseNetwork(text.trim());
  if (network) return network.text;
  const canonical = canonicalizeDomain(text.trim());
  return canonical.ok ? canonical.value.domain : privateSuffixOf(text.trim());
}

export interface OptOutList {
  /** Whether a visit of the host at these addresses is forbidden. A domain applies to all hosts at or below it. */
  forbids(host: string, addresses: readonly Address[]): boolean;
}

export function optOutListOf(subjects: Iterable<string>): OptOutList {
  const domains = new Set<string>();
  const networks: Network[] = [];
  for (const subject of subjects) {
    const network = parseNetwork(subject);
    if (network) networks.push(network);
    else domains.add(subject);
  }
  return {
    forbids: (host, addresses) =>
      withNamesAbove(host).some((name) => domains.has(name)) ||
      addresses.some((address) => networks.some((network) => isWithin(address, network))),
  };
}
