import { type DnsKind, type DnsRecords, dnsKinds } from '@shopscope/fingerprint/types';
import { nameRefusalOf } from '@shopscope/outbound-http';
import { hasOwnZone } from '../domain/own-zone.ts';
import type { Visit } from '../outbound/web/visitor.ts';

export interface RecordsRead {
  records: DnsRecords;
  /** The kinds of records that were requested and got no answer. */
  unanswered: DnsKind[];
}

/** Longer chains of aliases are rare. */
const maxAliases = 3;
/** Names that e-mail and help-desk vendors let merchants create. Each name needs one query. */
const dkimSelectors = ['k1', 'k2', 's1', 'kl', 'mte1', 'brevo1', 'litesrv', 'ctct1', 'aweber_key_a', 'zendesk1'];
const helpLabels = ['help', 'support'];

/**
 * Reads the DNS records of a store, all kinds at the same time.
 *
 * - Bounds: at most 18 queries, each within the limits of the resolver. `abort` ends all.
 * - A query fails -> its whole kind is unanswered, because a record may exist.
 * - The name is not a public name -> no query is sent.
 * - The domain is a name below a platform's own domain -> only `cname` is queried. The other records belong to the platform.
 * - Never rejects.
 */
export async function readRecords(domain: string, host: string, { query }: Pick<Visit, 'query'>): Promise<RecordsRead> {
  const isPublic = [domain, host].every((name) => nameRefusalOf(name) === undefined);
  const reads: Partial<Record<DnsKind, () => Promise<string[]>>> = {
    cname: () => aliasesOf(host, query),
    ...(hasOwnZone(domain) && {
      mx: () => query(domain, 'MX'),
      ns: () => query(domain, 'NS'),
      txt: () => query(domain, 'TXT'),
      dkim: () => targetsOf(dkimSelectors, (selector) => `${selector}._domainkey.${domain}`, query),
      help: () => targetsOf(helpLabels, (label) => `${label}.${domain}`, query),
    }),
  };
  const asked = isPublic ? dnsKinds.filter((kind) => reads[kind]) : [];
  const results = await Promise.allSettled(asked.map((kind) => reads[kind]?.() ?? []));
  const records: DnsRecords = {};
  const unanswered: DnsKind[] = [];
  for (const [index, kind] of asked.entries()) {
    const result = results[index];
    if (result?.status === 'fulfilled') records[kind] = result.value;
    else unanswered.push(kind);
  }
  return { records, unanswered };
}

async function aliasesOf(host: string, query: Visit['query']): Promise<string[]> {
  const aliases: string[] = [];
  let name = host;
  for (let hop = 0; hop < maxAliases; hop++) {
    const [target] = await query(name, 'CNAME');
    if (target === undefined || aliases.includes(target)) break;
    aliases.push(target);
    // A target within a local network is recorded, but it is not queried.
    if (nameRefusalOf(target)) break;
    name = target;
  }
  return aliases;
}

async function targetsOf(
  labels: readonly string[],
  nameOf: (label: string) => string,
  query: Visit['query'],
): Promise<string[]> {
  const targets = await Promise.all(labels.map((label) => query(nameOf(label), 'CNAME')));
  return targets.flatMap(([target], index) => (target === undefined ? [] : [`${labels[index]} ${target}`]));
}
