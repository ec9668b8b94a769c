import type { PageRecords } from '../page/records.ts';
import type { DnsKind, Source } from '../types.ts';
import type { Pattern } from './rule.ts';
import type { RegexBudget } from './text-index.ts';
import { ValueIndex } from './value-index.ts';

/**
 * `active`: the record states what serves the host of the store. Every other record is only a setting, because it stays
 * when its service is no longer used.
 */
type OnRecord = (pattern: Pattern, slug: string, match: { active: boolean }) => void;

const servesHost = ({ channel, key }: Pattern): boolean => channel === 'certificate' || key === 'cname';

/** What a match of the pattern says about where its technology shows. */
export function sourceOf({ channel, key }: Pattern): Source {
  if (channel === 'certificate') return 'certificate';
  return channel === 'dns' ? `dns.${key as DnsKind}` : 'home';
}

/** The patterns for DNS records and certificates, by kind of record. */
export class RecordIndex {
  private readonly kinds: Map<string, ValueIndex>;

  constructor(patterns: readonly { slug: string; pattern: Pattern }[]) {
    this.kinds = new Map(
      [...Map.groupBy(patterns, ({ pattern }) => pattern.key)].map(([kind, group]) => [kind, new ValueIndex(group)]),
    );
  }

  search(records: PageRecords, budget: RegexBudget, onRecord: OnRecord): void {
    for (const [kind, values] of records) {
      const index = this.kinds.get(kind);
      for (const value of index ? values : []) {
        index?.search(value, budget, (pattern, slug) => onRecord(pattern, slug, { active: servesHost(pattern) }));
      }
    }
  }
}
