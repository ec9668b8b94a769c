import type { PageHead, PageWords } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';
import { WallTexts } from './wall-texts.ts';

/** Which walls the words of a page tell. */
export type ToldWalls = ReadonlySet<WallMarks>;

const ofTitles = new WallTexts(wallMarks, 'titles', 'heads');
const ofHeads = new WallTexts(wallMarks, 'heads');
const ofTexts = new WallTexts(wallMarks, 'texts');

/** By the title or a heading. */
export const toldByHead = ({ title, headings }: PageHead): ToldWalls =>
  new Set([title, ...headings].flatMap((text, at) => [...(at === 0 ? ofTitles : ofHeads).matching(text)]));

/** By what a page says first. */
export const toldByStart = ({ start }: Pick<PageWords, 'start'>): ToldWalls => ofHeads.matching(start);

/** By the text of the page. */
export const toldByText = (text: string): ToldWalls => ofTexts.matching(text);
