import records from '../data/records.rules.json' with { type: 'json' };
import type { Pattern, Rule } from '../engine/rule.ts';

/** A technology that DNS records and certificates show; see `data/records.yaml`. It has names when no other table names it. */
export interface RecordTechnology extends Partial<Pick<Rule, 'name' | 'category' | 'vendor' | 'website'>> {
  slug: string;
  patterns: Pattern[];
}

export const recordTechnologies = records as readonly RecordTechnology[];
