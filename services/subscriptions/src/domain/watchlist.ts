import { invalidField } from '@shopscope/errors';
import { signalTypes } from '@shopscope/proto';
import type { Rescans } from './rescans.ts';
import type { StoreGroup } from './store-group.ts';

export type SignalType = (typeof signalTypes)[number];
export type WatchlistState = 'active' | 'paused';

/** A group of stores whose signals the workspace receives. */
export interface Watchlist extends StoreGroup {
  /** The types of signals that the workspace receives. */
  signalTypes: SignalType[];
  /** Slugs. An empty list selects the signals of all technologies. */
  technologies: string[];
  /** A paused watchlist receives neither signals nor rescans. */
  state: WatchlistState;
  rescans: Rescans;
}

/** The members that a call changes. The pace of the rescans is not among them, because the timer sets it. */
function changeable({ name, signalTypes: types, technologies, state, rescans }: Watchlist): string {
  const { intervalDays, budget, keyId, paused } = rescans;
  return JSON.stringify([name, types, technologies, state, intervalDays, budget, keyId, paused]);
}

/** Whether a call has changed nothing. */
export const isUnchanged = (before: Watchlist, after: Watchlist): boolean => changeable(before) === changeable(after);

const maxTechnologies = 100;
const slugPattern = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/;

/** Parses the types of signals. An empty list means all types. Returns each type once, in the order of the contract. */
export function parseSignalTypes(names: readonly string[]): SignalType[] {
  const unknown = names.findIndex((name) => !(signalTypes as readonly string[]).includes(name));
  if (unknown >= 0) throw invalidField(`signal_types[${unknown}]`, `must be one of ${signalTypes.join(', ')}`);
  return signalTypes.filter((type) => names.length === 0 || names.includes(type));
}

/** Parses slugs of technologies and returns each once. The gateway checks that the vocabulary has them. */
export function parseTechnologies(slugs: readonly string[]): string[] {
  if (slugs.length > maxTechnologies)
    throw invalidField('technologies', `must have at most ${maxTechnologies} entries`);
  const malformed = slugs.findIndex((slug) => !slugPattern.test(slug));
  if (malformed >= 0) throw invalidField(`technologies[${malformed}]`, 'must be the slug of a technology');
  return [...new Set(slugs)];
}
