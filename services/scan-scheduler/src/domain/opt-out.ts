import { canonicalizeDomain } from '@shopscope/domain-name';
import { type Address, isWithin, type Network, parseNetwork } from './address.ts';

/** A domain or a network that no scanner may visit, at the wish of its owner or by a decision of the operator. */
export interface OptOut {
  /** A registrable domain, or a network such as 203.0.113.0/24. */
  subject: string;
  reason: string;
  actor: string;
  createdAt: Date;
  /** Null while the entry applies. */
  removedAt: Date | null;
  removedBy: string;
}

/** The subject in normal form; null when the text is neither a name below a public suffix nor a network. */
export function subjectOf(text: string): string | null {
  const network = parseNetwork(text.trim());
  if (network) return network.text;
  const canonical = canonicalizeDomain(text.trim());
  return canonical.ok ? canonical.value.domain : null;
}

export interface OptOutList {
  /** Whether a visit of the domain at these addresses is forbidden. */
  forbids(domain: string, addresses: readonly Address[]): boolean;
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
    forbids: (domain, addresses) =>
      domains.has(domain) || addresses.some((address) => networks.some((network) => isWithin(address, network))),
  };
}
