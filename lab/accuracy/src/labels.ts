import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What readers wrote down about one page: the schema of truth/README.md, without the members that no score reads. */
export interface Label {
  file: string;
  page_kind: string;
  name: { value: string | null; also: string[] };
  country: { value: string | null; sure: boolean };
  industry: { value: string | null; also: string[] };
  status: { value: string; sure: boolean };
  products: { listed: number; currency: string | null; lowest: string | null; highest: string | null };
  versions: { slug: string; version: string }[];
  /** null: nobody listed them on this page. */
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

/** Reads the files of the part only. */
export function readLabels(folder: string, part: Part): Label[] {
  const files = part === 'all' ? ['open', 'held'] : [part];
  return files.flatMap((file) => {
    const lines = readFileSync(join(folder, `${file}.jsonl`), 'utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Label);
  });
}

/** Slugs of the vocabulary with which the readers worked. */
export const readVocabulary = (folder: string): Set<string> =>
  new Set(readFileSync(join(folder, 'vocabulary.txt'), 'utf8').split('\n'));

/** All pages of one host are in the same part. */
export function partOf(host: string): 'open' | 'held' {
  return (createHash('sha256').update(host).digest()[0] as number) % 3 === 0 ? 'held' : 'open';
}

/** Written pages that mention a platform and run on none. The file name without its number is the host. */
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
