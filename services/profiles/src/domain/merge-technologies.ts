import type { SeenTechnology } from './observation.ts';
import { candidate, confirm, confirmed, discard, type Sighting, type Signal } from './signal.ts';
import type { Outcome, StoreTechnology } from './store-profile.ts';
import type { InstallState, Scope } from './values.ts';

export interface TechnologiesBefore {
  technologies: readonly StoreTechnology[];
  /** The open technology_removed ones. */
  doubts: readonly Signal[];
}

export interface TechnologySighting extends Sighting {
  scope: Scope;
  /** Whether not seeing something means that it is not there. */
  absenceCounts: boolean;
}

/**
 * What is seen is there: additions and changes of install state are confirmed at once. What is not seen may only have
 * been missed: a removal is a candidate at the first absence that counts and confirmed at the second in succession,
 * effective from the first. A sighting in between discards it.
 */
export function mergeTechnologies(
  before: TechnologiesBefore,
  seen: readonly SeenTechnology[],
  sighting: TechnologySighting,
): Outcome<StoreTechnology[]> {
  const doubts = new Map(before.doubts.map((doubt) => [doubt.technology, doubt]));
  const unmatched = new Map(seen.map((technology) => [technology.slug, technology]));
  const value: StoreTechnology[] = [];
  const candidates: Signal[] = [];
  const signals: Signal[] = [];

  for (const known of before.technologies) {
    const found = unmatched.get(known.slug);
    const doubt = doubts.get(known.slug);
    unmatched.delete(known.slug);
    if (found) {
      const installState = nextInstallState(known.installState, found.installState, sighting.scope);
      value.push({ ...known, ...found, installState, lastConfirmedAt: sighting.at });
      if (doubt) signals.push(discard(doubt));
      if (installState !== known.installState) signals.push(stateChanged(known, installState, found, sighting));
    } else if (!sighting.absenceCounts) {
      value.push(known);
      if (doubt) candidates.push(doubt);
    } else if (doubt) {
      signals.push(confirm(doubt, sighting.at));
    } else {
      const opened = removed(known, sighting);
      value.push(known);
      candidates.push(opened);
      signals.push(opened);
    }
  }
  for (const found of unmatched.values()) {
    value.push(firstSeen(found, sighting.at));
    signals.push(added(found, sighting));
  }
  return { value: value.sort((a, b) => (a.slug < b.slug ? -1 : 1)), candidates, signals };
}

export function firstSeen(found: SeenTechnology, at: Date): StoreTechnology {
  return { ...found, firstObservedAt: at, lastConfirmedAt: at };
}

/** Something that worked and is now only set up has stopped working, if everything was looked at. */
function nextInstallState(known: InstallState, seen: SeenTechnology['installState'], scope: Scope): InstallState {
  if (seen === 'active' || known !== 'active') return seen === 'active' ? 'active' : known;
  return scope === 'full' ? 'inactive' : 'active';
}

function added({ slug, installState, confidence }: SeenTechnology, sighting: Sighting): Signal {
  return confirmed(sighting, { type: 'technology_added', technology: slug, from: null, to: installState, confidence });
}

function removed({ slug, installState, confidence }: StoreTechnology, sighting: Sighting): Signal {
  return candidate(sighting, {
    type: 'technology_removed',
    technology: slug,
    from: installState,
    to: null,
    confidence,
  });
}

function stateChanged(known: StoreTechnology, to: InstallState, found: SeenTechnology, sighting: Sighting): Signal {
  return confirmed(sighting, {
    type: 'install_state_changed',
    technology: known.slug,
    from: known.installState,
    to,
    confidence: found.confidence,
  });
}
