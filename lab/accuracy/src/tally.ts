import type { LabelledTechnology } from './labels.ts';
import type { Judged, JudgedPage } from './score-profile.ts';
import type { NamedTechnology, TechnologyMatch } from './score-technologies.ts';
import { countBy, type Share, shareOf } from './statistics.ts';

/** Sums the results of all pages. The functions have no side effects. */
export type FieldTally = ReturnType<typeof tallyField>;

export function tallyField(judged: readonly Judged[]) {
  const count = (outcome: Judged['outcome']) => judged.filter((one) => one.outcome === outcome).length;
  const right = count('right');
  return {
    cases: judged.length,
    right,
    wrong: count('wrong'),
    unknown: count('unknown'),
    /** The number of results that are right only because the readers were unsure of the label. */
    unsure: judged.filter(({ unsure }) => unsure).length,
    rightShare: shareOf(right, judged.length),
  };
}

export const tallyFields = (pages: readonly JudgedPage[]) => ({
  name: tallyField(pages.map(({ name }) => name)),
  country: tallyField(pages.map(({ country }) => country)),
  industry: tallyField(pages.map(({ industry }) => industry)),
  status: tallyField(pages.map(({ status }) => status)),
  catalogue: tallyField(pages.map(({ catalogue }) => catalogue)),
  versions: tallyField(pages.flatMap(({ versions }) => versions)),
});

export function tallyCatalog(pages: readonly JudgedPage[]) {
  const catalogues = pages.map(({ catalogue }) => catalogue);
  return {
    /** The number of pages whose catalogue is right and has exactly as many products as the page shows. */
    exact: catalogues.filter(({ outcome, exact }) => outcome === 'right' && exact).length,
    /** The number of pages that show products and have no catalogue. */
    absentThoughShown: catalogues.filter(({ outcome, shown }) => outcome === 'unknown' && shown).length,
  };
}

/** Counts pages by the industry of the label and by the stated industry. A stated industry that the label accepts counts as the label's. */
export function confusionOf(industries: readonly Judged[]): Record<string, Record<string, number>> {
  const rows = Map.groupBy(industries, ({ label }) => label);
  const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    ordered.map(([label, judged]) => {
      const counts = countBy(judged, ({ outcome, said }) => (outcome === 'right' ? label : said));
      return [label, Object.fromEntries([...counts].sort(([, one], [, other]) => other - one))];
    }),
  );
}

export type TechnologyTally = ReturnType<typeof tallyOf>;

const tallyOf = (named: number, right: number, found: number, labelled: number) => ({
  named,
  right,
  labelled,
  precision: shareOf(right, named),
  recall: shareOf(found, labelled),
});

/** Counts only the named technologies for which `named` returns true, and the labels for which `label` does. */
function tallyWhere(
  matches: readonly TechnologyMatch[],
  named: (technology: NamedTechnology) => boolean,
  label: (technology: LabelledTechnology) => boolean,
): TechnologyTally {
  const right = matches.flatMap((match) => match.right);
  const missed = matches.flatMap((match) => match.missed).filter(label).length;
  const found = right.filter((pair) => label(pair.label)).length;
  return tallyOf(
    matches.flatMap((match) => match.named).filter(named).length,
    right.filter((pair) => named(pair.named)).length,
    found,
    found + missed,
  );
}

const isAny = () => true;
export const tallyTechnologies = (matches: readonly TechnologyMatch[]): TechnologyTally =>
  tallyWhere(matches, isAny, isAny);

/** Precision counts by the category that the detector names, recall by that of the label. The category with the most labels comes first. */
export function tallyByCategory(matches: readonly TechnologyMatch[]): Record<string, TechnologyTally> {
  const categories = new Set(
    matches.flatMap(({ named, right, missed }) => [
      ...named.map(({ category }) => category),
      ...right.map(({ label }) => label.category),
      ...missed.map(({ category }) => category),
    ]),
  );
  const tallies = [...categories].map((category): [string, TechnologyTally] => {
    const isOf = (technology: { category: string }) => technology.category === category;
    return [category, tallyWhere(matches, isOf, isOf)];
  });
  return Object.fromEntries(tallies.sort(([, one], [, other]) => other.labelled - one.labelled));
}

/** The recall of a confidence is the share of all labels that were found with it. */
export function tallyByConfidence(matches: readonly TechnologyMatch[]): Record<string, TechnologyTally> {
  const { labelled } = tallyTechnologies(matches);
  return Object.fromEntries(
    ['high', 'medium', 'low'].map((confidence) => {
      const isOf = (technology: NamedTechnology) => technology.confidence === confidence;
      const named = matches.flatMap((match) => match.named).filter(isOf).length;
      const right = matches.flatMap((match) => match.right).filter((pair) => isOf(pair.named)).length;
      return [confidence, tallyOf(named, right, right, labelled)];
    }),
  );
}

/** Returns the share of the right technologies whose install state is that of the label. */
export function stateShare(matches: readonly TechnologyMatch[]): Share {
  const right = matches.flatMap((match) => match.right);
  return shareOf(right.filter(({ named, label }) => named.installState === label.state).length, right.length);
}
