import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodePage } from '@shopscope/fingerprint';

/** An entry of `index.json`, which lists the saved pages of its folder. */
export interface SavedPage {
  file: string;
  url: string | null;
  /** Null or absent if the host is unknown. */
  host?: string | null;
  /** The slug of the platform, or null if the page runs on none. */
  platform: string | null;
}

export function readIndex(folder: string): SavedPage[] {
  return (JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { pages: SavedPage[] }).pages;
}

/** Returns the host, which decides the part of the page. The file name replaces an unknown host. */
export const hostOf = ({ host, url, file }: SavedPage): string => host ?? URL.parse(url ?? '')?.hostname ?? file;

export function readPage(folder: string, file: string): string {
  return decodePage(gunzipSync(readFileSync(join(folder, file))), undefined);
}
