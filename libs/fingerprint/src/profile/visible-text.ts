import { Element, type ParentNode, Text } from 'domhandler';
import type { PageDocument } from '../page/document.ts';
import { withSingleSpaces } from '../page/single-spaces.ts';

/**
 * Reads the text that a visitor sees, with one line per block of the page. Scripts, styles, select options and elements that the markup
 * hides are left out.
 */
const omitted = 'head script style noscript template select textarea svg iframe object';
const inline =
  'a abbr b bdi bdo big cite code data del em font i img ins kbd label mark q s small span strong sub sup time tt u var wbr';
/** The way in which elements with these names are read. All others are blocks. */
const readings = new Map<string, 'omitted' | 'inline'>([
  ...omitted.split(' ').map((name) => [name, 'omitted'] as const),
  ...inline.split(' ').map((name) => [name, 'inline'] as const),
]);
const maxChars = 400_000;
const maxLineChars = 2000;
const maxHeadChars = 4000;
const maxFootChars = 7000;

const isHidden = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined ||
  (attribs.style !== undefined && /display\s{0,2}:\s{0,2}none/i.test(attribs.style.slice(0, 200)));

export interface VisibleText {
  lines: readonly string[];
  /** The last part of the page, joined by line breaks. */
  foot: string;
  /** The first and the last part, where a site states its name and its place. A short page is included as a whole. */
  ends: string;
}

/** Reads the tree once. At most 400,000 characters of text are read. */
export function visibleText(document: PageDocument): VisibleText {
  const lines: string[] = [];
  let line = '';
  let chars = 0;
  const endLine = (): void => {
    if (line === '') return;
    const text = withSingleSpaces(line);
    if (text) lines.push(text.slice(0, maxLineChars));
    line = '';
  };
  // The tree has a bounded depth.
  const readChildren = ({ children }: ParentNode): void => {
    for (const node of children) {
      if (chars >= maxChars) return;
      if (node instanceof Element) read(node);
      else if (node instanceof Text) {
        chars += node.data.length;
        if (line !== '' || node.data.trim() !== '') line += node.data;
      }
    }
  };
  const read = (element: Element): void => {
    const reading = readings.get(element.name);
    if (reading === 'omitted' || isHidden(element)) return;
    if (reading === 'inline') {
      if (line !== '') line += ' ';
      readChildren(element);
    } else {
      endLine();
      readChildren(element);
      if (chars < maxChars) endLine();
    }
  };
  readChildren(document.byTag('body')[0] ?? document.root);
  endLine();
  const all = lines.join('\n');
  const foot = all.slice(-maxFootChars);
  return {
    lines,
    foot,
    ends: all.length <= maxHeadChars + maxFootChars ? all : `${all.slice(0, maxHeadChars)}\n${foot}`,
  };
}
