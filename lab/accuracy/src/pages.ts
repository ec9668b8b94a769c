import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodePage } from '@shopscope/fingerprint';

/** A saved page of the folder. `index.json` of the folder lists them. */
export interface SavedPage {
  file: string;
  url: string | null;
  /** Missing or null: unknown. */
  host?: string | null;
  /** Slug; null when the page runs on none. */
  platform: string | null;
}

export function readIndex(folder: string): SavedPage[] {
  return (JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { pages: SavedPage[] }).pages;
}

/** The host decides the part of a page. The file name stands for an unknown host. */
export const hostOf = ({ host, url, file }: SavedPage): string => host ?? URL.parse(url ?? '')?.hostname ?? file;

export function readPage(folder: string, file: string): string {
  return decodePage(gunzipSync(readFileSync(join(folder, file))), undefined);
}
