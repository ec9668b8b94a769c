import { invalidField } from '@shopscope/errors';
import { type ImportedStore, planOf, readImportFile } from '../../lists/domain.ts';

/** The stores in a pasted text, and the number of its lines that have no domain, or an id that the API does not take. An empty text has no stores. */
export async function readPastedStores(text: string): Promise<{ stores: ImportedStore[]; unread: number }> {
  if (text.trim() === '') return { stores: [], unread: 0 };
  const file = await readImportFile(new TextEncoder().encode(text));
  const { stores, bad, badIds } = planOf(file, file.guess);
  if (stores.length === 0) throw invalidField('domains', 'No line has a domain. Example: shop.example');
  return { stores, unread: bad.count + badIds.count };
}

/** The slugs in a text of a person, which separates them by commas, blanks or lines. */
export const readSlugs = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((slug) => slug !== ''))];
