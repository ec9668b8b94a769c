import type { Part } from './labels.ts';
import type { MeasuredPage, MeasuredPlatform, Measurement, Timing } from './measure.ts';
import type { Judged, JudgedPage } from './score-profile.ts';
import type { TechnologyMatch } from './score-technologies.ts';
import { quantileOf, shareOf } from './statistics.ts';
import {
  confusionOf,
  stateShare,
  tallyByCategory,
  tallyByConfidence,
  tallyCatalog,
  tallyField,
  tallyFields,
  tallyTechnologies,
} from './tally.ts';

export type Report = ReturnType<typeof reportOf>;
export type NegativeTally = ReturnType<typeof negativesOf>;
export type Quantiles = ReturnType<typeof quantilesOf>;

interface Mistake extends Pick<Judged, 'said' | 'label'> {
  file: string;
  field: string;
  outcome: 'wrong' | 'unknown';
}

/** Returns the report that the command prints with `--json`. */
export function reportOf(part: Part, measured: Measurement) {
  const judged = measured.labelled.map((page) => page.judged);
  const listed = measured.labelled.flatMap(({ technologies }) => technologies ?? []);
  const own = listed.map((technologies) => technologies.own);
  return {
    part,
    pages: { labelled: judged.length, withTechnologies: own.length, missing: measured.missing },
    fields: {
      platform: tallyField(measured.labelled.map(({ platform }) => platform)),
      ...tallyFields(judged),
    },
    catalogue: tallyCatalog(judged),
    /** Counts the pages that have a stated or a labelled version. */
    versionPages: versionPagesOf(judged),
    confusion: confusionOf(judged.map(({ industry }) => industry)),
    technologies: {
      total: tallyTechnologies(own),
      states: stateShare(own),
      byConfidence: tallyByConfidence(own),
      byCategory: tallyByCategory(own),
      wappalyzer: tallyTechnologies(listed.map(({ wappalyzer }) => wappalyzer)),
      storePages: storePagesOf(measured.labelled),
    },
    /** Pages that run on no platform. */
    negatives: {
      saved: negativesOf(measured.savedNegatives),
      constructed: negativesOf(measured.constructedNegatives),
    },
    speed: speedOf(measured.timings),
    // Mistakes of the other part are not listed: a held-back page whose mistakes were read is no longer unseen.
    ...(part === 'open' && { mistakes: mistakesOf(measured) }),
  };
}

function versionPagesOf(pages: readonly JudgedPage[]) {
  const cases = pages.filter(({ versions }) => versions.length > 0);
  const rightOrAbsent = cases.filter(({ versions }) => versions.every(({ outcome }) => outcome !== 'wrong'));
  return { cases: cases.length, rightOrAbsent: rightOrAbsent.length };
}

function storePagesOf(pages: readonly MeasuredPage[]) {
  const stores = pages.flatMap(({ isStore, technologies }) => (isStore && technologies ? [technologies] : []));
  const rightOf = (matches: TechnologyMatch[]) => matches.reduce((sum, { right }) => sum + right.length, 0);
  const right = rightOf(stores.map(({ own }) => own));
  const wappalyzerRight = rightOf(stores.map(({ wappalyzer }) => wappalyzer));
  return { pages: stores.length, right, wappalyzerRight, ratio: wappalyzerRight > 0 ? right / wappalyzerRight : null };
}

function negativesOf(pages: readonly MeasuredPlatform[]) {
  const takenForPlatform = pages.filter(({ platform }) => platform.outcome === 'wrong').length;
  return { pages: pages.length, takenForPlatform, share: shareOf(takenForPlatform, pages.length) };
}

const quantilesOf = (values: number[]) => ({ median: quantileOf(values, 0.5), p99: quantileOf(values, 0.99) });

function speedOf(timings: readonly Timing[]) {
  return {
    calls: timings.length,
    ms: quantilesOf(timings.map(({ ms }) => ms)),
    cpuMs: quantilesOf(timings.map(({ cpuMs }) => cpuMs)),
  };
}

/** Returns every answer that is not right. */
function mistakesOf({ labelled, savedNegatives, constructedNegatives }: Measurement): Mistake[] {
  const judged = [
    ...[...labelled, ...savedNegatives, ...constructedNegatives].map(({ file, platform }) => ({
      file,
      field: 'platform',
      ...platform,
    })),
    ...labelled.flatMap(({ file, judged: { versions, ...fields } }) => [
      ...Object.entries(fields).map(([field, one]) => ({ file, field, ...one })),
      ...versions.map((version) => ({ file, field: 'version', ...version })),
    ]),
  ];
  const field = 'technology';
  const technologies = labelled.flatMap(({ file, technologies }): Mistake[] => [
    ...(technologies?.own.wrong ?? []).map(({ slug: said }) => ({
      file,
      field,
      outcome: 'wrong' as const,
      said,
      label: '',
    })),
    ...(technologies?.own.missed ?? []).map(({ slug, name }) => ({
      file,
      field,
      outcome: 'unknown' as const,
      said: '',
      label: slug ?? name,
    })),
  ]);
  // If the page shows nothing, the observation rightly states nothing.
  const notRight = judged.flatMap(({ file, field, outcome, said, label }): Mistake[] =>
    outcome === 'right' || said === label ? [] : [{ file, field, outcome, said, label }],
  );
  return [...notRight, ...technologies].sort((one, other) => one.file.localeCompare(other.file));
}
