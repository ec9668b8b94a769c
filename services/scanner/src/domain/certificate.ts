import type { PeerCertificate } from 'node:tls';
import type { Certificate } from '@shopscope/fingerprint';

/** The maximum number of names that are kept. Certificates of shared hosts have hundreds of names. */
const maxNames = 50;
const maxIssuerLength = 200;

export function certificateOf({ subjectaltname = '', issuer }: PeerCertificate): Certificate {
  const names = subjectaltname
    .split(', ', 10 * maxNames)
    .filter((name) => name.startsWith('DNS:'))
    .slice(0, maxNames)
    .map((name) => name.slice(4, 4 + 253).toLowerCase());
  return { names, issuer: String(issuer?.O ?? '').slice(0, maxIssuerLength) };
}
