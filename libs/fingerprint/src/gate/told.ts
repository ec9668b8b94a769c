import type { PageHead, PageWords } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';
import { WallTexts } from './wall-texts.ts';

/** Which walls the words of a page tell. */
export type ToldWalls = ReadonlySet<WallMarks>;

function byHeadOf(walls: readonly WallMarks[]): (head: PageHead) => ToldWalls {
  const ofTitles = new WallTexts(walls, 'titles', 'heads');
  const ofHeads = new WallTexts(walls, 'heads');
  return ({ title, headings }) => {
    const told = new Set(ofTitles.matching(title));
    for (const heading of headings) for (const marks of ofHeads.matching(heading)) told.add(marks);
    return told;
  };
}

/** By the title or a heading. */
export const toldByHead = byHeadOf(wallMarks);
/** Pages of usual size are asked for these only. */
export const marksOfAnySize = wallMarks.filter(({ wall }) => wall.anySize);
export const anySizeToldByHead = byHeadOf(marksOfAnySize);

const ofStarts = new WallTexts(wallMarks, 'heads');
const ofTexts = new WallTexts(wallMarks, 'texts');

/** By what a page says first. */
export const toldByStart = ({ start }: Pick<PageWords, 'start'>): ToldWalls => ofStarts.matching(start);

/** By the text of the page. */
export const toldByText = (text: string): ToldWalls => ofTexts.matching(text);
