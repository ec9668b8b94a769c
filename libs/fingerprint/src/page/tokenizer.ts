import { decodeHTMLAttribute } from 'entities';
import { type ParserOptions, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { knownName, nameStep } from './attribute-names.ts';

/**
 * Cuts a page into tags, texts and comments for the parser of htmlparser2, with the results of its own tokenizer for
 * HTML. Attributes go to a {@link TagReader}, not to the parser, and only they are decoded.
 *
 * - The whole text is there at once. So texts, values and comments end where a search finds their end, and the tokenizer
 *   reads single characters only in names.
 * - Time: linear. A search without a result ends the page.
 * - `pause()` in a callback -> the tokenizer stops behind the present tag.
 */
export interface TagReader {
  /**
   * A start tag ends at `end`. The parser has reported its name, unless it ignores the tag. Without attributes: the page ends inside of
   * the tag.
   */
  onattributes(attributes: Record<string, string> | undefined, end: number): void;
}

export interface PageParserOptions extends ParserOptions {
  tagReader: TagReader;
}

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

/** Elements whose content is text up to their own end tag. */
const rawTextTags: ReadonlySet<string> = new Set('iframe noembed noframes script style textarea title xmp'.split(' '));

const emptyComment = /-?>/y;
const commentEnd = /--!?>/g;

const isBlank = (code: number): boolean =>
  code === space || code === newline || code === tab || code === carriageReturn || code === formFeed;
const endsName = (code: number): boolean => code === slash || code === greater || isBlank(code);
const isLetter = (code: number): boolean => {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
};

export class PageTokenizer extends Tokenizer {
  private readonly events: TokenizerCallbacks;
  private readonly tagReader: TagReader;
  private text = '';
  /** Of the text. V8 reads the length of a string of any kind slower than a member. */
  private length = 0;
  private attributes: Record<string, string> = {};

  constructor(options: ConstructorParameters<typeof Tokenizer>[0], events: TokenizerCallbacks) {
    super(options, events);
    this.tagReader = (options as PageParserOptions).tagReader;
    this.events = events;
  }

  /** Reads the whole text. It is called once. */
  override write(text: string): void {
    this.text = text;
    this.length = text.length;
    let from = 0;
    let at = text.indexOf('<');
    while (at !== -1 && this.running) {
      const code = text.charCodeAt(at + 1);
      if (isLetter(code) || code === slash || code === exclamation || code === question) {
        this.textBetween(from, at);
        from = this.markup(at, code);
      }
      at = text.indexOf('<', Math.max(from, at + 1));
    }
    if (this.running) this.textBetween(from, text.length);
  }

  private textBetween(from: number, to: number): void {
    if (from < to) this.events.ontext(from, to);
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

  private startTag(from: number): number {
    const { text, length, events, tagReader } = this;
    const nameEnd = this.nameEnd(from);
    const isForeign = events.isInForeignContext?.() === true;
    if (nameEnd === length) return nameEnd;
    events.onopentagname(from, nameEnd);
    this.attributes = {};
    let at = nameEnd;
    let isSelfClosing = false;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (code === greater) {
        tagReader.onattributes(this.attributes, at);
        if (isSelfClosing) events.onselfclosingtag(at);
        else events.onopentagend(at);
        return isForeign || !this.running ? at + 1 : this.rawText(text.slice(from, nameEnd).toLowerCase(), at + 1);
      }
      if (code === slash || isBlank(code)) {
        if (code === slash) isSelfClosing = true;
        at++;
      } else {
        isSelfClosing = false;
        at = this.attribute(at);
      }
    }
    tagReader.onattributes(undefined, length);
    return length;
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
  private rawText(name: string, from: number): number {
    const { text } = this;
    if (name === 'plaintext') {
      this.textBetween(from, text.length);
      return text.length;
    }
    if (!rawTextTags.has(name)) return from;
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
    const { text, length, events } = this;
    const code = text.charCodeAt(from);
    if (code === greater) return from + 1;
    if (!isLetter(code)) return this.bogusComment(from);
    const nameEnd = this.nameEnd(from);
    if (nameEnd === length) return nameEnd;
    events.onclosetag(from, nameEnd);
    const end = text.indexOf('>', nameEnd);
    return end === -1 ? length : end + 1;
  }

  private declaration(from: number): number {
    const { text, events } = this;
    if (text.startsWith('--', from)) return this.comment(from + 2);
    if (text.startsWith('[CDATA[', from)) {
      const end = text.indexOf(']]>', from + 7);
      if (end === -1) events.oncomment(from, text.length, 0);
      else events.oncdata(from + 7, end + 2, 2);
      return end === -1 ? text.length : end + 3;
    }
    if (text.slice(from, from + 7).toLowerCase() !== 'doctype') return this.bogusComment(from);
    const end = text.indexOf('>', from);
    if (end !== -1) events.ondeclaration(from, end);
    return end === -1 ? text.length : end + 1;
  }

  /** `<!-->` and `<!--->` are empty comments. */
  private comment(from: number): number {
    const { text, events } = this;
    emptyComment.lastIndex = from;
    commentEnd.lastIndex = from;
    const ending = emptyComment.exec(text) ?? commentEnd.exec(text);
    const end = ending === null ? text.length : ending.index + ending[0].length - 1;
    events.oncomment(from, end, ending === null ? 0 : end - ending.index);
    return end + 1;
  }

  /** What is neither a comment nor a declaration ends at the next `>`. */
  private bogusComment(from: number): number {
    const found = this.text.indexOf('>', from);
    const end = found === -1 ? this.text.length : found;
    this.events.oncomment(from, end, 0);
    return end + 1;
  }
}
