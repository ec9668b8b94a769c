import { once } from '../once.ts';
import { MarkIndex } from '../profile/mark-index.ts';
import type { PageHead, PageWords } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/** The walls whose expressions match the words of a page. */
export type MatchingWalls = ReadonlySet<WallMarks>;

/**
 * Returns a function that finds the walls with an expression that matches a text. One literal scan precedes all expressions, because a text
 * of a usual page has none of their literals. The expressions are compiled when the first text is searched.
 */
function matcherOf(
  walls: readonly WallMarks[],
  ...kinds: ('titles' | 'heads' | 'texts')[]
): (text: string) => MatchingWalls {
  const formsOf = (marks: WallMarks) =>
    kinds.flatMap((kind) => marks.wall[kind] ?? []).map((source) => ({ form: new RegExp(source, 'iu'), marks }));
  const index = once(() => new MarkIndex(walls.flatMap(formsOf)));
  return (text) => new Set((text === '' ? [] : index().matching(text)).map(({ marks }) => marks));
}

function byHeadOf(walls: readonly WallMarks[]): (head: PageHead) => MatchingWalls {
  const byTitle = matcherOf(walls, 'titles', 'heads');
  const byHeading = matcherOf(walls, 'heads');
  return ({ title, headings }) => {
    const matching = new Set(byTitle(title));
    for (const heading of headings) for (const marks of byHeading(heading)) matching.add(marks);
    return matching;
  };
}

/** The walls that match the title or a heading. */
export const wallsInHead = byHeadOf(wallMarks);
/** Pages of usual size are compared only with these. */
export const marksOfAnySize = wallMarks.filter(({ wall }) => wall.anySize);
export const anySizeWallsInHead = byHeadOf(marksOfAnySize);

const atStart = matcherOf(wallMarks, 'heads');

/** The walls that match the first words of a page. */
export const wallsAtStart = ({ start }: Pick<PageWords, 'start'>): MatchingWalls => atStart(start);

/** The walls that match the text of the page. */
export const wallsInText = matcherOf(wallMarks, 'texts');
