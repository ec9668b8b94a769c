import { isApart, type Verdict } from './agreement.ts';
import type { ObservedSite } from './observation.ts';
import type { Signal } from './signal.ts';
import type { ChangeOfEverything, Outcome, StorePlatform, StoreProfile, StoreTechnology } from './store-profile.ts';
import { customPlatform } from './values.ts';

/**
 * The platform and most technologies change together. Either the store has moved, or the page was not the store's own page.
 *
 * - The confirming observation has to read another page of the store that agrees. Otherwise a third observation is needed, at least
 *   six hours after the second.
 * - The old platform is seen again -> the observation that began the change did not show the store. Its other candidates are
 *   discarded and begin again.
 */

/** There are at least this many active technologies, and at least this share of them is not seen. */
const minActive = 3;
const minMissingShare = 0.8;

export interface ChangeRules {
  /** Whether the observation confirms a candidate with which it agrees. */
  mayConfirm(candidate: Signal): boolean;
  /** The rules for technologies, once the platform is merged. */
  withPlatform(platform: Outcome<StorePlatform>): {
    verdictOn(candidate: Signal): Verdict;
    /** Returns the change after the observation. `open` are the candidates that the observation leaves open. */
    changeWith(open: readonly Signal[]): ChangeOfEverything | null;
  };
}

/** `platformIsAbsent`: whether the observation proves that the signs of the platform are absent. */
export function changeRules(
  { changeOfEverything: pending, candidates, technologies }: StoreProfile,
  seen: ObservedSite,
  { at, platformIsAbsent }: { at: Date; platformIsAbsent: boolean },
): ChangeRules {
  const members = candidates.filter(({ id }) => pending?.candidates.includes(id));
  const isMember = ({ id }: Signal) => members.some((member) => member.id === id);
  const isConfirmed = pending !== null && (pending.agreements > 1 || anotherPageAgrees(members, seen));
  const mayConfirm = (candidate: Signal): boolean =>
    pending && isMember(candidate) ? isConfirmed && isApart(pending.agreedAt, at) : isApart(candidate.effectiveAt, at);

  return {
    mayConfirm,
    withPlatform(platform) {
      const isRefuted = platform.signals.some((signal) => signal.state === 'discarded' && isMember(signal));
      const begins = platform.signals.some(({ state }) => state === 'candidate') && isOfEverything(technologies, seen);
      return {
        verdictOn(candidate) {
          if (isRefuted && isMember(candidate)) return 'restart';
          return !begins && mayConfirm(candidate) ? 'confirm' : 'keep';
        },
        changeWith(open) {
          if (begins) return { candidates: open.map(({ id }) => id), agreements: 1, agreedAt: at };
          const [candidate] = platform.candidates;
          if (!pending || !candidate || !isMember(candidate)) return null;
          const left = { ...pending, candidates: open.filter(isMember).map(({ id }) => id) };
          return agrees(candidate, seen, platformIsAbsent) && isApart(pending.agreedAt, at)
            ? { ...left, agreements: pending.agreements + 1, agreedAt: at }
            : left;
        },
      };
    },
  };
}

function isOfEverything(known: readonly StoreTechnology[], seen: ObservedSite): boolean {
  const shown = new Set(seen.technologies.map(({ slug }) => slug));
  const active = known.filter(({ installState }) => installState === 'active');
  const missing = active.filter(({ slug }) => !shown.has(slug));
  return active.length >= minActive && missing.length >= minMissingShare * active.length;
}

/** Whether a further page shows the new platform, none shows another platform, and no technology that is to be removed is seen. */
function anotherPageAgrees(members: readonly Signal[], { furtherPlatforms, technologies }: ObservedSite): boolean {
  const to = members.find(({ type }) => type === 'platform_changed')?.to;
  const shown = new Set(technologies.map(({ slug }) => slug));
  return (
    furtherPlatforms.some((slug) => slug === to) &&
    furtherPlatforms.every((slug) => slug === to || slug === customPlatform.slug) &&
    members.every(({ type, technology }) => type !== 'technology_removed' || !shown.has(technology))
  );
}

function agrees({ to }: Signal, { platform }: ObservedSite, platformIsAbsent: boolean): boolean {
  const slug = platform?.slug ?? customPlatform.slug;
  return slug === to && (slug !== customPlatform.slug || platformIsAbsent);
}
