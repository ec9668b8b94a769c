/**
 * Who may speak inside the system. A certificate names its holder by one URI, spiffe://shopscope/NAME; host names say
 * where something runs, and instances of one service share an identity wherever they run.
 */
export const peerNames = [
  'gateway',
  'keys',
  'profiles',
  'metering',
  'scan-scheduler',
  'scanner',
  'dashboard',
  'operator',
] as const;

export type PeerName = (typeof peerNames)[number];

const prefix = 'spiffe://shopscope/';

export const identityUri = (name: PeerName): string => prefix + name;

/**
 * The peer that a certificate's subject alternative names identify, as Node prints them (`URI:…, DNS:…`). None when no
 * URI is ours, when there are several URIs, and when an entry is quoted: a quoted entry has characters that none of our
 * names has, and could pass for two entries.
 */
export function peerOf(subjectAltName: string | undefined): PeerName | undefined {
  if (!subjectAltName || subjectAltName.includes('"')) return undefined;
  const uris = subjectAltName.split(', ').filter((entry) => entry.startsWith('URI:'));
  if (uris.length !== 1) return undefined;
  return peerNames.find((name) => uris[0] === `URI:${identityUri(name)}`);
}
