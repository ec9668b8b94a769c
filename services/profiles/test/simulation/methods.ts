import { dayMs } from '@shopscope/clock';
import { mergeObservation } from '../../src/domain/merge-observation.ts';
import type { Observation, ObservedSite } from '../../src/domain/observation.ts';
import type { StoreProfile } from '../../src/domain/store-profile.ts';

/** A change that a method reports. `to`: the removed technology, the new platform or the new status. */
export interface Reported {
  kind: 'removal' | 'platform' | 'status';
  to: string;
  at: Date;
  /** When a later observation retracted the report. */
  retractedAt?: Date;
}

/** Decides from the observations of one store what has changed. */
export interface Method {
  observe(observation: Observation): void;
  reported: Reported[];
}

/** Uses the domain functions of profiles, unchanged. */
export function ours(): Method {
  let profile: StoreProfile | null = null;
  const reported: Reported[] = [];
  const byId = new Map<string, Reported>();
  return {
    reported,
    observe(observation) {
      const merge = mergeObservation(profile, observation);
      profile = merge.profile ?? profile;
      for (const { id, type, state, to, technology, confirmedAt, retractedAt } of merge.signals) {
        const known = byId.get(id);
        if (known && retractedAt) known.retractedAt = retractedAt;
        if (state !== 'confirmed' || !confirmedAt) continue;
        const kind = { technology_removed: 'removal', platform_changed: 'platform', status_changed: 'status' } as const;
        if (!(type in kind)) continue;
        const report: Reported = {
          kind: kind[type as keyof typeof kind],
          to: type === 'technology_removed' ? technology : (to ?? ''),
          at: confirmedAt,
        };
        byId.set(id, report);
        reported.push(report);
      }
    },
  };
}

interface Seen {
  platform: string;
  state: string;
  technologies: ReadonlySet<string>;
}

const platformOf = ({ platform }: ObservedSite) => platform?.slug ?? 'custom';
const isFull = (observation: Observation): observation is ObservedSite =>
  observation.outcome === 'observed' && observation.scope === 'full';

/** Every difference between one full observation and the one before is a change. */
export function oneScanDiff(): Method {
  let before: Seen | undefined;
  const reported: Reported[] = [];
  return {
    reported,
    observe(observation) {
      const at = observation.completedAt;
      if (observation.outcome === 'unreachable' && before) {
        if (before.state !== 'unreachable') reported.push({ kind: 'status', to: 'unreachable', at });
        before = { ...before, state: 'unreachable' };
      }
      if (!isFull(observation)) return;
      const technologies = new Set(observation.technologies.map(({ slug }) => slug));
      const now = { platform: platformOf(observation), state: observation.state, technologies };
      if (before) {
        if (now.state !== before.state) reported.push({ kind: 'status', to: now.state, at });
        if (now.platform !== before.platform) reported.push({ kind: 'platform', to: now.platform, at });
        for (const slug of before.technologies)
          if (!technologies.has(slug)) reported.push({ kind: 'removal', to: slug, at });
      }
      before = now;
    },
  };
}

const unseenMs = 30 * dayMs;

/** Reports the removal of a technology, and the change of a platform or status, when the old value was not seen for 30 days. */
export function notSeenFor30Days(): Method {
  const lastSeen = new Map<string, Date>();
  const current = { platform: '', status: '' };
  const reported: Reported[] = [];
  const isGone = (key: string, at: Date) => at.getTime() - (lastSeen.get(key)?.getTime() ?? 0) > unseenMs;
  const see = (kind: 'platform' | 'status', value: string, at: Date) => {
    lastSeen.set(`${kind} ${value}`, at);
    if (current[kind] === '') current[kind] = value;
    if (current[kind] === value || !isGone(`${kind} ${current[kind]}`, at)) return;
    current[kind] = value;
    reported.push({ kind, to: value, at });
  };
  return {
    reported,
    observe(observation) {
      const at = observation.completedAt;
      if (observation.outcome === 'unreachable') see('status', 'unreachable', at);
      if (!isFull(observation)) return;
      see('status', observation.state, at);
      see('platform', platformOf(observation), at);
      for (const { slug } of observation.technologies) lastSeen.set(`technology ${slug}`, at);
      for (const key of lastSeen.keys()) {
        if (!key.startsWith('technology ') || !isGone(key, at)) continue;
        lastSeen.delete(key);
        reported.push({ kind: 'removal', to: key.slice('technology '.length), at });
      }
    },
  };
}
