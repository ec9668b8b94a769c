import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StartSettings } from './settings.ts';

/** What a second start needs to know of the first; readable by its owner only, because keys are in it. */
export interface LocalState {
  pepper: string;
  cursorSecret: string;
  /** Of everybody in the data servers, where these want credentials. */
  dataPasswords?: Record<string, string>;
  workspaceId?: string;
  keys?: { full: string; read_only: string };
  /** The key that scans the demo stores, so that the demo workspace's own usage starts at zero. */
  corpusKey?: { workspaceId: string; secret: string };
  /** Demo domains that the corpus holds; absent until it was filled. */
  domains?: string[];
  /** Demo domains whose scan failed when the corpus was filled, with the reason. */
  scanFailures?: Record<string, string>;
}

const pathOf = (settings: StartSettings) => join(settings.stateDir, 'state.json');

export function loadState(settings: StartSettings): LocalState {
  try {
    return JSON.parse(readFileSync(pathOf(settings), 'utf8')) as LocalState;
  } catch {
    return { pepper: randomBytes(32).toString('hex'), cursorSecret: randomBytes(32).toString('hex') };
  }
}

export function saveState(settings: StartSettings, state: LocalState): void {
  writeWhole(pathOf(settings), JSON.stringify(state, null, 2), 0o600);
}

/** Readers see the old content or the new, never a part. */
export function writeWhole(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, content, { mode });
  renameSync(part, path);
}
