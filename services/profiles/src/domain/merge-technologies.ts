import type { Verdict } from './agreement.ts';
import { bySlug, maxTechnologies, mostRecent } from './bound-technologies.ts';
import type { DetectedTechnology } from './observation.ts';
import {
  confirm,
  discard,
  type MergeContext,
  newCandidate,
  newConfirmed,
  type Signal,
  type SignalType,
} from './signal.ts';
import type { Outcome, StoreTechnology } from './store-profile.ts';
import type { InstallState, Scope } from './values.ts';

export interface TechnologiesBefore {
  technologies: readonly StoreTechnology[];
  /** The open technology_removed candidates. */
  openCandidates: readonly Signal[];
  /** Whether the list omits technologies that were observed. */
  omitted: boolean;
}

export interface MergedTechnologies extends Outcome<StoreTechnology[]> {
  /** Whether the list omits technologies that are not known to be absent. */
  omitted: boolean;
}

export interface TechnologyMergeContext extends MergeContext {
  scope: Scope;
  /** Whether a missing detection proves absence. */
  absenceCounts: boolean;
  /** Whether the observation detected more technologies than were parsed. */
  detectedMore: boolean;
  /** The kinds of pages and records that this observation read. */
  readNow: readonly string[];
  /** The kinds of pages and records that earlier observations read. */
  readBefore: readonly string[];
  /** Returns the effect of the observation on a candidate with which it agrees. */
  verdictOn(candidate: Signal): Verdict;
}

/** Whether all sources were read again. A source that failed or was not chosen this time may still show the technology. */
export const isReadAgain = (sources: readonly string[], readNow: readonly string[]): boolean =>
  sources.every((source) => readNow.includes(source));

/**
 * Merges the detected technologies.
 *
 * - A technology is detected -> its addition, or the change of its install state, is confirmed at once.
 * - It, or its other state, is detected only by sources that were never read before -> it is shown without a signal,
 *   because it may have been there all the time.
 * - It is absent once -> a removal candidate begins, because the scan may have missed the technology.
 * - It is absent again, and this observation confirms the candidate -> the removal is confirmed, effective from the first absence.
 * - It is absent again, and nothing confirms the candidate yet -> the candidate stays.
 * - It is detected in between, or may be among those that were not parsed, or the observation that began the candidate is
 *   refuted -> the candidate is discarded.
 * - An observation does not prove absence -> removals and `inactive` do not change. Absence is proved if the scope is full
 *   and every source that showed the technology was read again.
 * - There are more than {@link maxTechnologies} -> the detected ones are listed, then the most recently confirmed. Omitted technologies
 *   emit no signal. While any is omitted, additions emit no signal either, because they may have been there all the time.
 */
export function mergeTechnologies(
  before: TechnologiesBefore,
  seen: readonly DetectedTechnology[],
  context: TechnologyMergeContext,
): MergedTechnologies {
  const candidateBySlug = new Map(
    before.openCandidates.map((openCandidate) => [openCandidate.technology, openCandidate]),
  );
  const unmatched = new Map(seen.map((technology) => [technology.slug, technology]));
  const value: StoreTechnology[] = [];
  const candidates: Signal[] = [];
  const signals: Signal[] = [];

  for (const known of before.technologies) {
    const found = unmatched.get(known.slug);
    const openCandidate = candidateBySlug.get(known.slug);
    unmatched.delete(known.slug);
    const isRead = isReadAgain(known.sources, context.readNow);
    if (found) {
      const scope = isRead ? context.scope : 'partial';
      const installState = nextInstallState(known.installState, found.installState, scope);
      const sources = mergeSources(known.sources, found.sources, context.readNow);
      value.push({ ...known, ...found, installState, sources, lastConfirmedAt: context.at });
      if (openCandidate) signals.push(discard(openCandidate));
      if (installState !== known.installState && isChange(known, found, context))
        signals.push(
          newConfirmed(context, {
            ...changeOf('install_state_changed', found),
            from: known.installState,
            to: installState,
          }),
        );
    } else if (!context.absenceCounts || !isRead) {
      value.push(known);
      if (openCandidate && (context.detectedMore || context.verdictOn(openCandidate) === 'restart'))
        signals.push(discard(openCandidate));
      else if (openCandidate) candidates.push(openCandidate);
    } else {
      const absent = judgeAbsence(known, openCandidate, context);
      if (!absent.isRemoved) value.push(known);
      candidates.push(...absent.candidates);
      signals.push(...absent.signals);
    }
  }
  for (const found of unmatched.values()) {
    value.push(newTechnology(found, context.at));
    if (!before.omitted && isAppearance(found.sources, context.readBefore)) {
      signals.push(
        newConfirmed(context, { ...changeOf('technology_added', found), from: null, to: found.installState }),
      );
    }
  }
  const isComplete = context.absenceCounts && isReadAgain(context.readBefore, context.readNow);
  const merged = { value: value.sort(bySlug), candidates, signals, omitted: before.omitted && !isComplete };
  return value.length > maxTechnologies ? bounded(merged, seen, before.openCandidates) : merged;
}

function judgeAbsence(known: StoreTechnology, openCandidate: Signal | undefined, context: TechnologyMergeContext) {
  const verdict = openCandidate && context.verdictOn(openCandidate);
  if (openCandidate && verdict === 'confirm')
    return { isRemoved: true, candidates: [], signals: [confirm(openCandidate, context.at)] };
  if (openCandidate && verdict === 'keep') return { isRemoved: false, candidates: [openCandidate], signals: [] };
  const change = { ...changeOf('technology_removed', known), from: known.installState, to: null };
  const created = newCandidate(context, change);
  const discarded = openCandidate ? [discard(openCandidate)] : [];
  return { isRemoved: false, candidates: [created], signals: [...discarded, created] };
}

/** Limits the list. Detected technologies are not ranked by date, because a slow scanner clock can give all the same date. */
function bounded(
  merged: MergedTechnologies,
  seen: readonly DetectedTechnology[],
  openBefore: readonly Signal[],
): MergedTechnologies {
  const seenSlugs = new Set(seen.map(({ slug }) => slug));
  const detected = merged.value.filter(({ slug }) => seenSlugs.has(slug));
  const others = merged.value.filter(({ slug }) => !seenSlugs.has(slug));
  const recent = mostRecent(others, (_, index) => index < maxTechnologies - detected.length);
  const value = [...detected, ...recent].sort(bySlug);
  const slugs = new Set(value.map(({ slug }) => slug));
  const isListed = ({ technology }: Signal) => slugs.has(technology);
  const leftOut = merged.candidates.filter((candidate) => !isListed(candidate));
  return {
    value,
    candidates: merged.candidates.filter(isListed),
    signals: [
      ...merged.signals.filter((signal) => !leftOut.includes(signal)),
      ...leftOut.filter((candidate) => openBefore.includes(candidate)).map(discard),
    ],
    omitted: true,
  };
}

export function newTechnology(found: DetectedTechnology, at: Date): StoreTechnology {
  return { ...found, firstObservedAt: at, lastConfirmedAt: at };
}

/** Whether one of the sources was read before. A technology in a source that is read first may have been there all the time. */
export const isAppearance = (sources: readonly string[], readBefore: readonly string[]): boolean =>
  sources.some((source) => readBefore.includes(source));

/** Whether another state is a change. It is not a change if only sources that were never read before show it. */
function isChange(known: StoreTechnology, found: DetectedTechnology, { readBefore }: TechnologyMergeContext): boolean {
  const other = found.sources.filter((source) => !known.sources.includes(source));
  return other.length === 0 || isAppearance(other, readBefore);
}

/** Returns the sources of this observation, and the earlier ones that it did not read. */
function mergeSources(
  before: readonly string[],
  now: readonly string[],
  readNow: readonly string[],
): readonly string[] {
  const unread = before.filter((source) => !readNow.includes(source));
  return [...new Set([...now, ...unread])].sort();
}

/** Returns the new install state. An active technology that a full observation detects only as configured becomes inactive. */
function nextInstallState(known: InstallState, seen: DetectedTechnology['installState'], scope: Scope): InstallState {
  if (seen === 'active' || known !== 'active') return seen === 'active' ? 'active' : known;
  return scope === 'full' ? 'inactive' : 'active';
}

const changeOf = (type: SignalType, { slug, confidence }: Pick<DetectedTechnology, 'slug' | 'confidence'>) => ({
  type,
  technology: slug,
  confidence,
});
