import rows from '../data/walls.rules.json' with { type: 'json' };
import type { PageKind } from './page-kinds.ts';

/** The kinds of responses that the rows of `data/walls` recognize. */
export const wallKinds = [
  'challenge',
  'waiting_room',
  'consent_wall',
  'age_wall',
  'login_wall',
  'maintenance',
  'error',
  'parked',
] as const satisfies readonly PageKind[];
export type WallKind = (typeof wallKinds)[number];

/** Marks of one kind of response of one maker. `data/walls/challenges.yaml` explains the members. */
export interface Wall {
  kind: WallKind;
  by?: string;
  headers?: Record<string, string>;
  hosts?: string[];
  paths?: string[];
  leadsTo?: string[];
  elements?: string[];
  titles?: string[];
  heads?: string[];
  texts?: string[];
  ends?: string[];
  scripts?: string[];
  anySize?: boolean;
}

export const walls: readonly Wall[] = rows as Wall[];
