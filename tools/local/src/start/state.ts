import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DemoKey } from '@shopscope/demo-usage';
import type { DemoList } from './demo-list.ts';
import type { StartSettings } from './settings.ts';

export interface DemoPerson {
  email: string;
  password: string;
}

export type DemoPeople = Record<'admin' | 'member', DemoPerson>;

/** State that later starts need. Only its owner can read it, because it contains keys. */
export interface LocalState {
  pepper: string;
  cursorSecret: string;
  sessionSecret: string;
  webhookSecret: string;
  /** Passwords of all principals of the data servers, if these require credentials. */
  dataPasswords?: Record<string, string>;
  workspaceId?: string;
  /** `test` is the key of the test tenant. */
  keys?: { full: string; read_only: string; test: string };
  people?: DemoPeople;
  /** The keys with demo usage, and the instant from which their usage is planned. */
  demoUsage?: { firstRunMs: number; keys: DemoKey[] };
  /** The key for scans of the demo stores. With it the usage of the demo workspace starts at zero. */
  corpusKey?: { workspaceId: string; secret: string };
  /** The watchlist of the demo workspace. */
  demoWatchlist?: { workspaceId: string; watchlistId: string };
  /** The list of the demo workspace, and the job that enriched it. */
  demoList?: DemoList;
  /** Demo domains in the corpus; absent until the corpus was filled. */
  domains?: string[];
  /** Whether the corpus has the generated stores. */
  hasGeneratedStores?: boolean;
  /** Demo domains whose scan failed when the corpus was filled, with the reason. */
  scanFailures?: Record<string, string>;
}

const pathOf = (settings: StartSettings) => join(settings.stateDir, 'state.json');

export function loadState(settings: StartSettings): LocalState {
  try {
    return JSON.parse(readFileSync(pathOf(settings), 'utf8')) as LocalState;
  } catch {
    return newSecrets();
  }
}

export function newSecrets(): Pick<LocalState, 'pepper' | 'cursorSecret' | 'sessionSecret' | 'webhookSecret'> {
  const secret = () => randomBytes(32).toString('hex');
  return { pepper: secret(), cursorSecret: secret(), sessionSecret: secret(), webhookSecret: secret() };
}

export function saveState(settings: StartSettings, state: LocalState): void {
  writeWhole(pathOf(settings), JSON.stringify(state, null, 2), 0o600);
}

/** Replaces the file atomically. */
export function writeWhole(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, content, { mode });
  renameSync(part, path);
}
