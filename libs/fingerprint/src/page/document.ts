import { Document, Element, type ParentNode, Text } from 'domhandler';
import { Parser } from 'htmlparser2';

/**
 * The markup of a page as a tree, parsed once, with indexes for detection. Bounds against hostile markup:
 *
 * - Elements deeper than {@link maxDepth} become children of the last level.
 * - Elements beyond {@link maxElements} are dropped.
 * - The parser is replaced when its stack of open tags grows too long, because closing a tag costs the length of that
 *   stack.
 */
export const maxDepth = 200;
export const maxElements = 40_000;
const maxTextChars = 400_000;
const feedChars = 4096;
const restartDepth = 1000;

export class PageDocument {
  readonly root = new Document([]);
  readonly elements: Element[] = [];
  private readonly tags = new Map<string, Element[]>();
  private readonly classes = new Map<string, Element[]>();
  private readonly ids = new Map<string, Element[]>();

  add(element: Element): void {
    this.elements.push(element);
    append(this.tags, element.name, element);
    if (element.attribs.id) append(this.ids, element.attribs.id, element);
    const names = element.attribs.class;
    if (names) for (const name of names.slice(0, 2000).split(/\s+/, 60)) append(this.classes, name, element);
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
}

function append(index: Map<string, Element[]>, key: string, element: Element): void {
  const list = index.get(key);
  if (list) list.push(element);
  else index.set(key, [element]);
}

/** Builds the tree from the events of the parser. `depth` counts the open tags of the parser. */
class TreeBuilder {
  depth = 0;
  private open: ParentNode[];
  private textChars = 0;
  constructor(document: PageDocument) {
    this.document = document;
    this.open = [document.root];
  }
  private readonly document: PageDocument;

  onopentag = (name: string, attribs: Record<string, string>): void => {
    this.depth++;
    if (this.document.elements.length >= maxElements) return;
    const element = new Element(name, attribs);
    this.attach(element);
    this.document.add(element);
    if (this.depth < maxDepth) this.open[this.depth] = element;
  };

  onclosetag = (): void => {
    this.depth = Math.max(0, this.depth - 1);
    if (this.open.length > this.depth + 1) this.open.length = this.depth + 1;
  };

  ontext = (data: string): void => {
    const parent = this.parent();
    const isScript = parent instanceof Element && (parent.name === 'script' || parent.name === 'style');
    if (!isScript) this.textChars += data.length;
    if (!isScript && this.textChars > maxTextChars) return;
    const last = parent.children.at(-1);
    if (last instanceof Text) last.data += data;
    else this.attach(new Text(data));
  };

  /** Resets the open tags when the parser is replaced. */
  restart(): void {
    this.depth = 0;
    this.open = [this.document.root];
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
  const start = () => new Parser(builder, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true });
  let parser = start();
  for (let at = 0; at < html.length; at += feedChars) {
    parser.write(html.slice(at, at + feedChars));
    if (builder.depth > restartDepth) {
      builder.restart();
      parser = start();
    }
  }
  parser.end();
  return document;
}

/** Text below a node, at most `maxChars`, without scripts and styles. */
export function textOf(node: ParentNode, maxChars: number): string {
  let text = '';
  const stack: ParentNode['children'] = [...node.children].reverse();
  while (stack.length > 0 && text.length < maxChars) {
    const next = stack.pop();
    if (next instanceof Text) text += next.data.slice(0, maxChars - text.length);
    else if (next instanceof Element && next.name !== 'script' && next.name !== 'style' && next.name !== 'noscript') {
      text += ' ';
      for (let i = next.children.length - 1; i >= 0; i--) stack.push(next.children[i] as Element);
    }
  }
  return text.replace(/\s+/g, ' ').trim();
}

/** The raw text of a script element. */
export function scriptText(element: Element): string {
  let text = '';
  for (const child of element.children) if (child instanceof Text) text += child.data;
  return text;
}
