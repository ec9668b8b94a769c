import type { Part } from './labels.ts';
import type { MeasuredPage, MeasuredPlatform, Measurement, Timing } from './measure.ts';
import type { JudgedPage } from './score-profile.ts';
import type { TechnologyMatch } from './score-technologies.ts';
import { quantileOf, type Share, shareOf } from './statistics.ts';
import {
  type CatalogTally,
  confusionOf,
  type FieldTally,
  stateShare,
  type TechnologyTally,
  tallyByCategory,
  tallyByConfidence,
  tallyCatalog,
  tallyField,
  tallyFields,
  tallyTechnologies,
} from './tally.ts';

/** What the command prints with `--json`. */
export interface Report {
  part: Part;
  pages: { labelled: number; withTechnologies: number; missing: string[] };
  fields: Record<'platform' | keyof JudgedPage, FieldTally>;
  catalogue: CatalogTally;
  /** Pages with a stated or labelled version. */
  versionPages: { cases: number; rightOrAbsent: number };
  confusion: Record<string, Record<string, number>>;
  technologies: {
    total: TechnologyTally;
    states: Share;
    byConfidence: Record<string, TechnologyTally>;
    byCategory: Record<string, TechnologyTally>;
    wappalyzer: TechnologyTally;
    storePages: { pages: number; right: number; wappalyzerRight: number; ratio: number | null };
  };
  /** Pages of no platform. */
  negatives: { saved: NegativeTally; constructed: NegativeTally };
  speed: { calls: number; ms: Quantiles; cpuMs: Quantiles };
  /** Every answer that is not right. Only of the open part: whoever reads mistakes of held-back pages uses the pages up. */
  mistakes?: Mistake[];
}

export interface NegativeTally {
  pages: number;
  takenForPlatform: number;
  share: Share;
}

export interface Quantiles {
  median: number;
  p99: number;
}

export interface Mistake {
  file: string;
  field: string;
  outcome: 'wrong' | 'unknown';
  said: string;
  label: string;
}

export function reportOf(part: Part, measured: Measurement): Report {
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
    negatives: {
      saved: negativesOf(measured.savedNegatives),
      constructed: negativesOf(measured.constructedNegatives),
    },
    speed: speedOf(measured.timings),
    ...(part === 'open' && { mistakes: mistakesOf(measured) }),
  };
}

function versionPagesOf(pages: readonly JudgedPage[]): Report['versionPages'] {
  const cases = pages.filter(({ versions }) => versions.length > 0);
  const rightOrAbsent = cases.filter(({ versions }) => versions.every(({ outcome }) => outcome !== 'wrong'));
  return { cases: cases.length, rightOrAbsent: rightOrAbsent.length };
}

function storePagesOf(pages: readonly MeasuredPage[]): Report['technologies']['storePages'] {
  const stores = pages.flatMap(({ isStore, technologies }) => (isStore && technologies ? [technologies] : []));
  const rightOf = (matches: TechnologyMatch[]) => matches.reduce((sum, { right }) => sum + right.length, 0);
  const right = rightOf(stores.map(({ own }) => own));
  const wappalyzerRight = rightOf(stores.map(({ wappalyzer }) => wappalyzer));
  return { pages: stores.length, right, wappalyzerRight, ratio: wappalyzerRight > 0 ? right / wappalyzerRight : null };
}

function negativesOf(pages: readonly MeasuredPlatform[]): NegativeTally {
  const takenForPlatform = pages.filter(({ platform }) => platform.outcome === 'wrong').length;
  return { pages: pages.length, takenForPlatform, share: shareOf(takenForPlatform, pages.length) };
}

function speedOf(timings: readonly Timing[]): Report['speed'] {
  const quantilesOf = (values: number[]) => ({ median: quantileOf(values, 0.5), p99: quantileOf(values, 0.99) });
  return {
    calls: timings.length,
    ms: quantilesOf(timings.map(({ ms }) => ms)),
    cpuMs: quantilesOf(timings.map(({ cpuMs }) => cpuMs)),
  };
}

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
  const technologies = labelled.flatMap(({ file, technologies }): Mistake[] => [
    ...(technologies?.own.wrong ?? []).map(({ slug }) => mistakeOf(file, 'wrong', slug, '')),
    ...(technologies?.own.missed ?? []).map(({ slug, name }) => mistakeOf(file, 'unknown', '', slug ?? name)),
  ]);
  // Nothing said of a page that shows nothing is no mistake.
  const notRight = judged.flatMap(({ file, field, outcome, said, label }): Mistake[] =>
    outcome === 'right' || said === label ? [] : [{ file, field, outcome, said, label }],
  );
  return [...notRight, ...technologies].sort((one, other) => one.file.localeCompare(other.file));
}

const mistakeOf = (file: string, outcome: Mistake['outcome'], said: string, label: string): Mistake => ({
  file,
  field: 'technology',
  outcome,
  said,
  label,
});
