import { Document, Element, type ParentNode, Text } from 'domhandler';
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { type Handler, Parser } from 'htmlparser2';
import { withSingleSpaces } from './single-spaces.ts';

/**
 * The markup of a page as a tree that is parsed once, with indexes for detection. Bounds against hostile markup:
 *
 * - Elements deeper than {@link maxDepth} become children of the last level.
 * - Elements beyond {@link maxElements} are dropped, except {@link maxLoading} that load or configure something.
 * - Beyond {@link maxOpenTags}, a new parser continues without open tags, because each end tag is searched among the open tags.
 */
export const maxDepth = 200;
export const maxElements = 40_000;
const maxLoading = 2_000;
const loadingTags = new Set(['script', 'link', 'style', 'meta', 'iframe']);
export const maxOpenTags = 250;
const maxTextChars = 400_000;
const maxCommentChars = 300_000;
/** Elements whose content is text for the parser, and no markup of the page. */
const rawTextTags: ReadonlySet<string> = new Set(['script', 'style', 'textarea']);

const emptyList: readonly never[] = [];

/**
 * Returns a new empty list of nodes. V8 places array literals that often survive a collection into its old generation. There, each list of
 * a dead page keeps all nodes of that page until the next full collection. V8 does not do this with the result of a built-in function.
 */
const youngList = <Node>(): Node[] => emptyList.slice();

/** The properties that an element needs to match the last part of a selector. The first member that is set is looked up. */
export interface Subject {
  id?: string;
  className?: string;
  tag?: string;
}

export class PageDocument {
  readonly root = new Document(youngList());
  readonly elements = youngList<Element>();
  /** The page's text without comments and without the content of scripts, style sheets and text fields. */
  markup = '';
  /** The comments, with their delimiters, one per line. */
  comments = '';
  /** Elements with an `itemprop`, and elements with an `itemtype` (microdata). */
  readonly properties = youngList<Element>();
  readonly items = youngList<Element>();
  private readonly tags = new Map<string, Element[]>();
  private readonly classes = new Map<string, Element[]>();
  /** The lists of {@link classes} for each value of the attribute, because elements repeat values. */
  private readonly classLists = new Map<string, readonly Element[][]>();
  private readonly ids = new Map<string, Element[]>();

  add(element: Element): void {
    this.elements.push(element);
    listOf(this.tags, element.name).push(element);
    const { id, itemprop, itemtype } = element.attribs;
    if (itemprop !== undefined) this.properties.push(element);
    if (itemtype !== undefined) this.items.push(element);
    if (id) listOf(this.ids, id).push(element);
    const names = element.attribs.class;
    if (names) for (const list of this.listsOf(names)) list.push(element);
  }

  private listsOf(classNames: string): readonly Element[][] {
    const known = this.classLists.get(classNames);
    if (known) return known;
    const lists = withSingleSpaces(classNames.slice(0, 2000))
      .split(' ', 60)
      .map((name) => listOf(this.classes, name));
    this.classLists.set(classNames, lists);
    return lists;
  }

  /** The different values of the attribute `class`. */
  classValues(): Iterable<string> {
    return this.classLists.keys();
  }

  byTag(name: string): readonly Element[] {
    return this.tags.get(name) ?? [];
  }

  byClass(name: string): readonly Element[] {
    return this.classes.get(name) ?? [];
  }

  byId(id: string): readonly Element[] {
    return this.ids.get(id) ?? [];
  }

  /** The first title. Empty if there is none. */
  titleText(maxChars: number): string {
    const [title] = this.byTag('title');
    return title ? textOf(title, maxChars) : '';
  }

  /** The code of the language that the page states. Empty if it states none. */
  get language(): string {
    return (this.byTag('html')[0]?.attribs.lang ?? '').slice(0, 2).toLowerCase();
  }

  /** The address that the page states as its own. */
  get canonical(): string | undefined {
    return this.byTag('link').find(({ attribs }) => attribs.rel === 'canonical')?.attribs.href;
  }

  /** The elements that the last part of a selector can match. */
  bySubject({ id, className, tag }: Subject): readonly Element[] {
    if (id) return this.byId(id);
    if (className) return this.byClass(className);
    return tag ? this.byTag(tag) : this.elements;
  }
}

function listOf(index: Map<string, Element[]>, key: string): Element[] {
  const known = index.get(key);
  if (known) return known;
  const list = youngList<Element>();
  index.set(key, list);
  return list;
}

/** Builds the tree from the events of the parser. */
class TreeBuilder implements Partial<Handler> {
  private parser!: Parser;
  /** The text that the current parser reads, and its offset in the page. */
  private html = '';
  private origin = 0;
  /** The number of open tags of the parser. */
  private depth = 0;
  private hasTooManyOpen = false;
  private open: ParentNode[] = [];
  private textChars = 0;
  private commentChars = 0;
  private rawFrom = -1;
  readonly comments: string[] = [];
  /** Texts with character references. They are decoded after the whole text has been read. */
  readonly encoded = new Set<Text>();
  /** The start and end of each part of the page that is not markup. */
  readonly cuts: number[] = [];
  private readonly document: PageDocument;

  constructor(document: PageDocument) {
    this.document = document;
  }

  parse(page: string): void {
    do {
      this.rawFrom = -1;
      this.depth = 0;
      this.hasTooManyOpen = false;
      this.open = [this.document.root];
      this.parser = new Parser(this, { decodeEntities: false });
      this.html = page.slice(this.origin);
      this.parser.write(this.html);
      // A paused parser reports nothing more.
      this.parser.end();
      this.origin += this.parser.endIndex + 1;
    } while (this.hasTooManyOpen);
  }

  oncomment(data: string): void {
    this.cuts.push(this.origin + this.parser.startIndex, this.origin + this.parser.endIndex + 1);
    this.commentChars += data.length;
    if (this.commentChars <= maxCommentChars) this.comments.push(`<!--${data}-->`);
  }

  onopentag(name: string, attribs: Record<string, string>): void {
    this.depth++;
    if (this.depth > maxOpenTags) {
      this.hasTooManyOpen = true;
      this.parser.pause();
    }
    if (rawTextTags.has(name)) this.rawFrom = this.origin + this.parser.endIndex + 1;
    const { length } = this.document.elements;
    if (length >= maxElements && (length >= maxElements + maxLoading || !loadingTags.has(name))) return;
    // Most tags have no character reference.
    if (this.html.slice(this.parser.startIndex, this.parser.endIndex).includes('&'))
      for (const [key, value] of Object.entries(attribs)) attribs[key] = decodeHTMLAttribute(value);
    const element = new Element(name, attribs, youngList());
    this.attach(element);
    this.document.add(element);
    if (this.depth < maxDepth) this.open[this.depth] = element;
  }

  onclosetag(name: string): void {
    if (this.rawFrom !== -1 && rawTextTags.has(name)) {
      this.cuts.push(this.rawFrom, this.origin + this.parser.startIndex);
      this.rawFrom = -1;
    }
    this.depth = Math.max(0, this.depth - 1);
    while (this.open.length > this.depth + 1) this.open.pop();
  }

  ontext(data: string): void {
    const parent = this.parent();
    const isScript = parent instanceof Element && (parent.name === 'script' || parent.name === 'style');
    if (!isScript) this.textChars += data.length;
    if (!isScript && this.textChars > maxTextChars) return;
    const last = parent.children.at(-1);
    const text = last instanceof Text ? last : new Text('');
    text.data += data;
    if (text !== last) this.attach(text);
    if (!isScript && data.includes('&')) this.encoded.add(text);
  }

  private parent(): ParentNode {
    return this.open[Math.min(this.depth, this.open.length - 1)] ?? this.document.root;
  }

  private attach(node: Element | Text): void {
    // When an element is attached, `depth` already includes it.
    const parent =
      node instanceof Element
        ? (this.open[Math.min(this.depth, this.open.length) - 1] ?? this.document.root)
        : this.parent();
    const previous = parent.children.at(-1);
    if (previous) {
      previous.next = node;
      node.prev = previous;
    }
    node.parent = parent;
    parent.children.push(node);
  }
}

/** Parses `html`. Never throws on markup. */
export function parseDocument(html: string): PageDocument {
  const document = new PageDocument();
  const builder = new TreeBuilder(document);
  builder.parse(html);
  for (const text of builder.encoded) text.data = decodeHTML(text.data);
  document.markup = withoutCuts(html, builder.cuts);
  document.comments = builder.comments.join('\n');
  return document;
}

/** Returns `text` without the parts between the pairs of offsets. The offsets ascend. */
function withoutCuts(text: string, cuts: readonly number[]): string {
  const kept: string[] = [];
  let from = 0;
  for (let i = 0; i < cuts.length; i += 2) {
    const start = cuts[i] as number;
    if (start > from) kept.push(text.slice(from, start));
    from = Math.max(from, cuts[i + 1] as number);
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** Returns the text below a node without scripts and styles, with at most `maxChars`. */
export function textOf(node: ParentNode, maxChars: number): string {
  const [only] = node.children;
  if (node.children.length <= 1 && !(only instanceof Element))
    return only instanceof Text ? withSingleSpaces(only.data.slice(0, maxChars)) : '';
  let text = '';
  let left = maxChars;
  const stack: ParentNode['children'] = node.children.toReversed();
  while (stack.length > 0 && left > 0) {
    const next = stack.pop();
    if (next instanceof Text) {
      text += next.data.slice(0, left);
      left -= next.data.length;
    } else if (next instanceof Element && next.name !== 'script' && next.name !== 'style' && next.name !== 'noscript') {
      text += ' ';
      left--;
      for (let i = next.children.length - 1; i >= 0; i--) stack.push(next.children[i] as Element);
    }
  }
  return withSingleSpaces(text);
}

/** Whether `test` is true for an element around `element`. */
export function isInside({ parent }: Element, test: (around: Element) => boolean): boolean {
  for (let around = parent; around instanceof Element; around = around.parent) if (test(around)) return true;
  return false;
}

export const isInNoscript = (element: Element): boolean => isInside(element, ({ name }) => name === 'noscript');

/** The raw text of a script element. */
export function scriptText(element: Element): string {
  let text = '';
  for (const child of element.children) if (child instanceof Text) text += child.data;
  return text;
}
