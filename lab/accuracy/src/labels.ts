import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the readers wrote down about one page: a line of open.jsonl or held.jsonl.
 *
 * Lines have further members, which no score reads: `evidence` (what shows a value), `products.structured` (how the page describes products for
 * machines: json-ld, microdata, platform-json or none), `note`, and `settled` (the fields on which two readers differed and a third decided).
 */
export interface Label {
  file: string;
  /** home, category, product, content, cart, account or other. */
  page_kind: string;
  /** The brand as people write it, and other right spellings. Only letters and digits are compared. */
  name: { value: string | null; also: string[] };
  /** ISO 3166 alpha-2 code of the country where the merchant has its seat, null when the page does not show it. `sure` is false for weak evidence. */
  country: { value: string | null; sure: boolean };
  /** The best slug of the taxonomy, null if the page is not of a shop or the industry is unknown. `also`: other slugs that a fair judge accepts. */
  industry: { value: string | null; also: string[] };
  /** active_storefront, not_a_storefront, password_protected, closed or parked. */
  status: { value: string; sure: boolean };
  /**
   * `listed`: distinct products that the page shows with a name. `currency`: ISO 4217 code. `lowest` and `highest`: prices that a buyer pays now, as
   * decimal strings. These three are null if the page shows no price.
   */
  products: { listed: number; currency: string | null; lowest: string | null; highest: string | null };
  versions: { slug: string; version: string }[];
  /** Null if nobody listed the technologies of this page. */
  technologies: LabelledTechnology[] | null;
}

export interface LabelledTechnology {
  name: string;
  /** Null when the vocabulary lacks it. */
  slug: string | null;
  category: string;
  state: 'active' | 'configured';
}

export const parts = ['open', 'held', 'all'] as const;
export type Part = (typeof parts)[number];

/** Reads only the files of this part. */
export function readLabels(folder: string, part: Part): Label[] {
  const files = part === 'all' ? ['open', 'held'] : [part];
  return files.flatMap((file) => {
    const lines = readFileSync(join(folder, `${file}.jsonl`), 'utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Label);
  });
}

/** The slugs that the readers knew. */
export const readVocabulary = (folder: string): Set<string> =>
  new Set(readFileSync(join(folder, 'vocabulary.txt'), 'utf8').split('\n'));

/** Returns the part of a host. All pages of one host are therefore in the same part. */
export function partOf(host: string): 'open' | 'held' {
  return (createHash('sha256').update(host).digest()[0] as number) % 3 === 0 ? 'held' : 'open';
}

/** Returns the constructed pages, which run on no platform. The file name without its number is the host. */
export function readNegatives(folder: string) {
  const below = join(folder, 'negatives');
  if (!existsSync(below)) return [];
  const files = readdirSync(below).filter((file) => file.endsWith('.html'));
  return files.sort().map((file) => ({
    file,
    url: `https://${file.replace(/^\d+-/, '').replace(/\.html$/, '')}.example/`,
    html: readFileSync(join(below, file), 'utf8'),
  }));
}
