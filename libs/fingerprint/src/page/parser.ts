import { decodeHTMLAttribute } from 'entities';
import { knownName, nameStep } from './attribute-names.ts';
import { formTag, frequentTag, imgTag, type Tag, tagNumbers, tagOf } from './tags.ts';

/**
 * Cuts a page into elements, texts and comments, with the results of the parser of htmlparser2 for HTML: it adds end tags that
 * authors may leave out, and it keeps the rules of `svg` and `math`. Values of attributes are decoded; texts are not.
 *
 * - When a page ends inside a tag, the results may differ from there on: htmlparser2 reports parts of such a tag as text, this parser none.
 * - The whole text is there at once. So texts, values and comments end where a search finds their end, and the parser reads single
 *   characters only in names.
 * - A frequent name in lower case has one {@link Tag} in the process, and the parser finds it without a copy of the name. Of the other
 *   names the parser keeps at most {@link keptNames} with their tags. It copies a name, folds it to lower case and hashes it only when
 *   it does not keep it.
 * - Time: linear. A search without a result ends the page. The parser counts the open elements of each name. So an end tag without a
 *   start tag costs no search among them. Beyond {@link maxOpenTags} the parser forgets all open elements.
 */
export interface PageEvents {
  /** A start tag ends at `end`. */
  onstarttag(tag: Tag, attributes: Record<string, string>, end: number): void;
  /** An element ends. `start`: where the parser stood before it. Void elements end at once. */
  onendtag(name: string, start: number): void;
  ontext(text: string): void;
  /** `start` and `end` include the delimiters. */
  oncomment(text: string, start: number, end: number): void;
  /** The parser has forgotten all open tags. */
  onrestart(): void;
}

export const maxOpenTags = 1000;
const keptNames = 256;

const tab = 9;
const newline = 10;
const formFeed = 12;
const carriageReturn = 13;
const space = 32;
const exclamation = 33;
const doubleQuote = 34;
const singleQuote = 39;
const slash = 47;
const equals = 61;
const greater = 62;
const question = 63;

const emptyComment = /-?>/y;
const commentEnd = /--!?>/g;

const isBlank = (code: number): boolean =>
  code === space || code === newline || code === tab || code === carriageReturn || code === formFeed;
const endsName = (code: number): boolean => code === slash || code === greater || isBlank(code);
const isLetter = (code: number): boolean => {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
};

/** In which rules the parser reads: HTML, or inside `svg` or `math`. */
type Context = 'html' | 'svg' | 'math';

export class PageParser {
  private readonly events: PageEvents;
  private readonly text: string;
  /** The length of the text. V8 reads it from a string of any kind slower than from a member. */
  private readonly length: number;
  private attributes: Record<string, string> = {};
  /** The open elements, and the contexts that they have opened. The innermost is the last one. */
  private readonly open: Tag[] = [];
  /** The number of open elements by the number of their tag, and by their name when the tag has no number of its own. */
  private readonly openCounts = new Int32Array(tagNumbers);
  private readonly otherOpenCounts = new Map<string, number>();
  private readonly contexts: Context[] = ['html'];
  private context: Context = 'html';
  /** Where the part of the page starts that no event has covered yet. */
  private start = 0;
  /** The names that the parser keeps, as the page writes them, and their tags. The index is the last bits of the hash. */
  private readonly otherNames: (string | undefined)[] = [];
  private readonly otherTags: Tag[] = [];

  constructor(text: string, events: PageEvents) {
    this.text = text;
    this.length = text.length;
    this.events = events;
  }

  /** Reads the whole text. It is called once. */
  parse(): void {
    const { text } = this;
    let from = 0;
    let at = text.indexOf('<');
    while (at !== -1) {
      const code = text.charCodeAt(at + 1);
      if (isLetter(code) || code === slash || code === exclamation || code === question) {
        this.textBetween(from, at);
        from = this.markup(at, code);
      }
      at = text.indexOf('<', Math.max(from, at + 1));
    }
    this.textBetween(from, text.length);
    for (let i = this.open.length - 1; i >= 0; i--) this.events.onendtag((this.open[i] as Tag).name, this.start);
  }

  private textBetween(from: number, to: number): void {
    if (from >= to) return;
    this.events.ontext(this.text.slice(from, to));
    this.start = to;
  }

  /** Each of the following functions returns the offset behind what it has read. */
  private markup(at: number, code: number): number {
    if (code === slash) return this.endTag(at + 2);
    if (code === exclamation) return this.declaration(at + 2);
    return code === question ? this.bogusComment(at + 1) : this.startTag(at + 1);
  }

  private nameEnd(from: number): number {
    const { text, length } = this;
    let at = from;
    while (at < length && !endsName(text.charCodeAt(at))) at++;
    return at;
  }

  private blanksEnd(from: number): number {
    const { text } = this;
    let at = from;
    while (isBlank(text.charCodeAt(at))) at++;
    return at;
  }

  /** The tag with the name from `from` to `to`, in lower case. */
  private tagAt(from: number, to: number): Tag {
    const { text } = this;
    let hash = 0;
    for (let at = from; at < to; at++) hash = nameStep(hash, text.charCodeAt(at));
    return frequentTag(hash, text, from, to) ?? this.otherTag(hash & (keptNames - 1), from, to);
  }

  private otherTag(slot: number, from: number, to: number): Tag {
    const { text } = this;
    const kept = this.otherNames[slot];
    if (kept !== undefined && kept.length === to - from && text.startsWith(kept, from))
      return this.otherTags[slot] as Tag;
    const written = text.slice(from, to);
    const tag = tagOf(written.toLowerCase());
    this.otherNames[slot] = written;
    this.otherTags[slot] = tag;
    return tag;
  }

  /** The tag in the present context: names in `svg` have capital letters, and `image` is `img` in HTML. */
  private inContext(tag: Tag): Tag {
    const { inSvg } = tag;
    // The end tag of `foreignObject` is read in HTML inside of it.
    if (inSvg !== undefined && (this.context === 'svg' || (this.contexts.length > 1 && this.isOpen(inSvg))))
      return inSvg;
    return this.context === 'html' && tag.name === 'image' ? imgTag : tag;
  }

  private isOpen({ number, name }: Tag): boolean {
    return number === 0 ? this.otherOpenCounts.has(name) : this.openCounts[number] !== 0;
  }

  private startTag(from: number): number {
    const { text, length } = this;
    const nameEnd = this.nameEnd(from);
    if (nameEnd === length) return nameEnd;
    const written = this.tagAt(from, nameEnd);
    const wasForeign = this.context !== 'html';
    const tag = this.inContext(written);
    const before = this.start;
    // A form inside another form is ignored.
    const isIgnored = tag === formTag && this.isOpen(formTag);
    if (!isIgnored) this.openTag(tag);
    this.attributes = {};
    let at = nameEnd;
    let isSelfClosing = false;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (code === greater) {
        if (!isIgnored) this.endStartTag(tag, at, { before, isSelfClosing });
        this.start = at + 1;
        if (this.open.length > maxOpenTags) return this.restart(at + 1);
        return wasForeign ? at + 1 : this.rawText(written, at + 1);
      }
      if (code === slash || isBlank(code)) {
        if (code === slash) isSelfClosing = true;
        at++;
      } else {
        isSelfClosing = false;
        at = this.attribute(at);
      }
    }
    return length;
  }

  private openTag(tag: Tag): void {
    const { open } = this;
    if (tag.ends !== undefined)
      while (open.length > 0 && tag.ends.has((open[open.length - 1] as Tag).name)) this.closeLast(this.start);
    if (tag.isVoid) return;
    open.push(tag);
    this.count(tag, 1);
    if (tag.isForeign) this.enter(tag.name === 'svg' ? 'svg' : 'math');
    else if (tag.isIntegration) this.enter('html');
  }

  private enter(context: Context): void {
    this.contexts.push(context);
    this.context = context;
  }

  private endStartTag(
    tag: Tag,
    at: number,
    { before, isSelfClosing }: { before: number; isSelfClosing: boolean },
  ): void {
    this.events.onstarttag(tag, this.attributes, at);
    if (tag.isVoid) this.events.onendtag(tag.name, before);
    // In HTML a slash at the end of a tag has no meaning.
    else if (isSelfClosing && this.context !== 'html') this.closeLast(before);
  }

  /** An element of the tag has been opened or closed. */
  private count({ number, name }: Tag, change: 1 | -1): void {
    if (number !== 0) {
      this.openCounts[number] = (this.openCounts[number] as number) + change;
      return;
    }
    const count = (this.otherOpenCounts.get(name) ?? 0) + change;
    if (count === 0) this.otherOpenCounts.delete(name);
    else this.otherOpenCounts.set(name, count);
  }

  /** Ends the innermost open element and returns its name. */
  private closeLast(start: number): string {
    const tag = this.open.pop() as Tag;
    this.count(tag, -1);
    if (tag.isForeign || tag.isIntegration) {
      this.contexts.pop();
      this.context = this.contexts.at(-1) ?? 'html';
    }
    this.events.onendtag(tag.name, start);
    return tag.name;
  }

  private restart(at: number): number {
    this.open.length = 0;
    this.openCounts.fill(0);
    this.otherOpenCounts.clear();
    this.contexts.length = 1;
    this.context = 'html';
    this.events.onrestart();
    return at;
  }

  private attribute(from: number): number {
    const { text, length } = this;
    // An equals sign at the start belongs to the name.
    let hash = nameStep(0, text.charCodeAt(from));
    let nameEnd = from + 1;
    for (; nameEnd < length; nameEnd++) {
      const code = text.charCodeAt(nameEnd);
      if (code === equals || endsName(code)) break;
      hash = nameStep(hash, code);
    }
    const name = knownName(hash, text, from, nameEnd) ?? text.slice(from, nameEnd).toLowerCase();
    const sign = this.blanksEnd(nameEnd);
    if (text.charCodeAt(sign) === equals) return this.attributeValue(name, this.blanksEnd(sign + 1));
    this.add(name, '');
    return sign;
  }

  /** The first of several attributes with one name counts. */
  private add(name: string, value: string): void {
    if (Object.hasOwn(this.attributes, name)) return;
    this.attributes[name] = value.includes('&') ? decodeHTMLAttribute(value) : value;
  }

  private attributeValue(name: string, from: number): number {
    const { text, length } = this;
    const code = text.charCodeAt(from);
    if (code !== doubleQuote && code !== singleQuote) {
      let end = from;
      while (end < length && text.charCodeAt(end) !== greater && !isBlank(text.charCodeAt(end))) end++;
      this.add(name, text.slice(from, end));
      return end;
    }
    const end = text.indexOf(code === doubleQuote ? '"' : "'", from + 1);
    if (end === -1) return length;
    this.add(name, text.slice(from + 1, end));
    return end + 1;
  }

  /** The content of an element that holds only text. The end tag remains. */
  private rawText({ name, isRawText }: Tag, from: number): number {
    const { text } = this;
    if (name === 'plaintext') {
      this.textBetween(from, text.length);
      return text.length;
    }
    if (!isRawText) return from;
    let end = text.indexOf('</', from);
    while (end !== -1 && !this.isEndTag(name, end)) end = text.indexOf('</', end + 2);
    if (end === -1) end = text.length;
    this.textBetween(from, end);
    return end;
  }

  private isEndTag(name: string, at: number): boolean {
    const nameEnd = at + 2 + name.length;
    return endsName(this.text.charCodeAt(nameEnd)) && this.text.slice(at + 2, nameEnd).toLowerCase() === name;
  }

  private endTag(from: number): number {
    const { text, length } = this;
    const code = text.charCodeAt(from);
    if (code === greater) return from + 1;
    if (!isLetter(code)) return this.bogusComment(from);
    const nameEnd = this.nameEnd(from);
    if (nameEnd === length) return nameEnd;
    this.closeTag(this.inContext(this.tagAt(from, nameEnd)), nameEnd);
    this.start = nameEnd + 1;
    const end = text.indexOf('>', nameEnd);
    return end === -1 ? length : end + 1;
  }

  private closeTag(tag: Tag, end: number): void {
    const { events, start } = this;
    const { name, isVoid } = tag;
    if (this.isOpen(tag)) {
      let closed: string;
      do closed = this.closeLast(start);
      while (closed !== name);
    } else if (name === 'p' || name === 'br') {
      // These end tags without a start tag are elements.
      this.openTag(tag);
      events.onstarttag(tag, {}, end);
      if (isVoid) events.onendtag(name, start);
      else this.closeLast(start);
    }
  }

  private declaration(from: number): number {
    const { text } = this;
    if (text.startsWith('--', from)) return this.comment(from + 2);
    if (text.startsWith('[CDATA[', from)) return this.cdata(from);
    if (text.slice(from, from + 7).toLowerCase() !== 'doctype') return this.bogusComment(from);
    const end = text.indexOf('>', from);
    if (end === -1) return text.length;
    this.start = end + 1;
    return end + 1;
  }

  /** In HTML it is a comment. */
  private cdata(from: number): number {
    const { text } = this;
    const end = text.indexOf(']]>', from + 7);
    if (end === -1) return this.reportComment(text.slice(from), text.length);
    if (this.context === 'html') return this.reportComment(`${text.slice(from, end)}]]`, end + 2);
    this.events.ontext(text.slice(from + 7, end));
    this.start = end + 3;
    return end + 3;
  }

  /** `<!-->` and `<!--->` are empty comments. */
  private comment(from: number): number {
    const { text } = this;
    emptyComment.lastIndex = from;
    commentEnd.lastIndex = from;
    const ending = emptyComment.exec(text) ?? commentEnd.exec(text);
    if (ending === null) return this.reportComment(text.slice(from), text.length);
    return this.reportComment(text.slice(from, ending.index), ending.index + ending[0].length - 1);
  }

  /** What is neither a comment nor a declaration ends at the next `>`. */
  private bogusComment(from: number): number {
    const { text } = this;
    const found = text.indexOf('>', from);
    const end = found === -1 ? text.length : found;
    return this.reportComment(text.slice(from, end), end);
  }

  /** `end`: its last character. */
  private reportComment(comment: string, end: number): number {
    this.events.oncomment(comment, this.start, end + 1);
    this.start = end + 1;
    return end + 1;
  }
}
