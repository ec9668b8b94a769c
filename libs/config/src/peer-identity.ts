/**
 * The peers inside the system. A certificate identifies its peer by one URI, spiffe://shopscope/NAME. Host names do not identify peers,
 * because all instances of a service share one identity.
 */
export const peerNames = [
  'gateway',
  'keys',
  'profiles',
  'metering',
  'scan-scheduler',
  'scanner',
  'dashboard',
  'subscriptions',
  'webhooks',
  'search',
  'operator',
] as const;

export type PeerName = (typeof peerNames)[number];

const prefix = 'spiffe://shopscope/';

export const identityUri = (name: PeerName): string => prefix + name;

/**
 * Returns the peer in the subject alternative names of a certificate, which have Node's form (`URI:…, DNS:…`). Returns undefined if:
 *
 * - the names have no URI of a peer, or have several URIs
 * - an entry is quoted, because its content could imitate a second entry
 */
export function peerOf(subjectAltName: string | undefined): PeerName | undefined {
  if (!subjectAltName || subjectAltName.includes('"')) return undefined;
  const uris = subjectAltName.split(', ').filter((entry) => entry.startsWith('URI:'));
  if (uris.length !== 1) return undefined;
  return peerNames.find((name) => uris[0] === `URI:${identityUri(name)}`);
}
