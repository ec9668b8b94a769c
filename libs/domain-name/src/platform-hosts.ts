import { getDomain } from 'tldts';
import list from './platform-hosts.json' with { type: 'json' };

/**
 * Hosts below which a platform or a hosting company assigns a separate host to each site, and which the public suffix list lacks (decision
 * 62). `platform-hosts.json` has a row per host, with its operator, its source and the date of the row. The labels in `reserved` below a
 * host name the operator's own site. The labels of a row are added to those that apply to every host.
 */
interface PlatformHost {
  host: string;
  reserved: ReadonlySet<string>;
}

/** Hosts by registrable domain, because a host such as `my.plentysystems.com` can be below a domain that sites do not share. */
const hostsByDomain = new Map<string, PlatformHost[]>();
for (const { host, reserved = [] } of list.hosts as { host: string; reserved?: string[] }[]) {
  const domain = getDomain(host, { allowPrivateDomains: true }) ?? host;
  const platformHost = { host, reserved: new Set([...list.reserved, ...reserved]) };
  hostsByDomain.set(domain, [...(hostsByDomain.get(domain) ?? []), platformHost]);
}

/** Returns the site of `host` on a platform host. Undefined for the operator's own site and for every other host. */
export function platformSiteOf(host: string, registered: string): { domain: string; suffix: string } | undefined {
  for (const { host: suffix, reserved } of hostsByDomain.get(registered) ?? []) {
    if (!host.endsWith(`.${suffix}`)) continue;
    const below = host.slice(0, -suffix.length - 1);
    const label = below.slice(below.lastIndexOf('.') + 1);
    if (!reserved.has(label)) return { domain: `${label}.${suffix}`, suffix };
  }
  return undefined;
}
