/** Letters that are written from right to left: the ranges of the bidirectional classes R and AL. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const [firstStrongIsolate, popDirectionalIsolate] = ['\u2068', '\u2069'];

/**
 * Isolates a clean text for a line of plain text, in a terminal or a mail. Letters that are written from right to left then do not change
 * the order of the text around them. In HTML the element `bdi` does this.
 */
export const isolated = (text: string): string =>
  rightToLeft.test(text) ? `${firstStrongIsolate}${text}${popDirectionalIsolate}` : text;
