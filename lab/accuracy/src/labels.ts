import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the readers wrote down about one page. truth/README.md has the schema; members that no score reads are left out here. */
export interface Label {
  file: string;
  page_kind: string;
  name: { value: string | null; also: string[] };
  country: { value: string | null; sure: boolean };
  industry: { value: string | null; also: string[] };
  status: { value: string; sure: boolean };
  products: { listed: number; currency: string | null; lowest: string | null; highest: string | null };
  versions: { slug: string; version: string }[];
  /** Null if nobody listed the technologies of this page. */
  technologies: LabelledTechnology[] | null;
}

export interface LabelledTechnology {
  name: string;
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
