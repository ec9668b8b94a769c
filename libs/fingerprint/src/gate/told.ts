import { once } from '../once.ts';
import { MarkIndex } from '../profile/mark-index.ts';
import type { PageHead, PageWords } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/** The walls whose expressions match the words of a page. */
export type ToldWalls = ReadonlySet<WallMarks>;

/**
 * Returns a function that finds the walls with an expression that matches a text. One literal scan precedes all expressions, because a text
 * of a usual page has none of their literals. The expressions are compiled when the first text is searched.
 */
function tellerOf(
  walls: readonly WallMarks[],
  ...kinds: ('titles' | 'heads' | 'texts')[]
): (text: string) => ToldWalls {
  const formsOf = (marks: WallMarks) =>
    kinds.flatMap((kind) => marks.wall[kind] ?? []).map((source) => ({ form: new RegExp(source, 'iu'), marks }));
  const index = once(() => new MarkIndex(walls.flatMap(formsOf)));
  return (text) => new Set((text === '' ? [] : index().matching(text)).map(({ marks }) => marks));
}

function byHeadOf(walls: readonly WallMarks[]): (head: PageHead) => ToldWalls {
  const byTitle = tellerOf(walls, 'titles', 'heads');
  const byHeading = tellerOf(walls, 'heads');
  return ({ title, headings }) => {
    const told = new Set(byTitle(title));
    for (const heading of headings) for (const marks of byHeading(heading)) told.add(marks);
    return told;
  };
}

/** The walls that match the title or a heading. */
export const toldByHead = byHeadOf(wallMarks);
/** Pages of usual size are compared only with these. */
export const marksOfAnySize = wallMarks.filter(({ wall }) => wall.anySize);
export const anySizeToldByHead = byHeadOf(marksOfAnySize);

const byStart = tellerOf(wallMarks, 'heads');

/** The walls that match the first words of a page. */
export const toldByStart = ({ start }: Pick<PageWords, 'start'>): ToldWalls => byStart(start);

/** The walls that match the text of the page. */
export const toldByText = tellerOf(wallMarks, 'texts');
