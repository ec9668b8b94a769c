import type { JsonOutput } from './json-output.ts';
import { absentOf, type Member, type Selection, typeNameField } from './selection.ts';
import { Work } from './work.ts';

const [quote, comma, backslash, nullStart] = [0x22, 0x2c, 0x5c, 0x6e];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The work of a value that is selected without a bound. */
const uncounted = new Work();

/**
 * An object that is stored as JSON, in the form of JSON.stringify: without spaces, and no name of a member has an escape.
 *
 * Its selected members are copied. To parse the object, and to encode its members again, takes more than twice as long.
 */
export class StoredJson {
  readonly text: string;
  private at = 0;
  /** Whether the JSON of the latest value is the stored one. */
  private isSame = true;
  private work = uncounted;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the JSON of the selected members. Throws if the object ends early, or has no value for a member that the schema requires. */
  select(selection: Selection, work = uncounted): string {
    this.at = 0;
    this.work = work;
    return this.object(selection, true);
  }

  /** Writes what {@link select} returns. Each value is a step if it fits into one, else its members and elements are. */
  *selectInSteps(selection: Selection, { work, output }: { work: Work; output: JsonOutput }): Generator<void, void> {
    this.at = 0;
    this.work = work;
    yield* this.objectInSteps(selection, output);
  }

  private *valueInSteps(selection: Selection, output: JsonOutput): Generator<void, void> {
    const start = this.at;
    const json = this.work.attempt(() => this.element(selection));
    if (json !== undefined) output.add(json);
    yield;
    if (json !== undefined) return;
    this.at = start;
    if (this.code() === openBrace) return yield* this.objectInSteps(selection, output);
    if (this.code() !== openBracket) return output.add(this.skipValue());
    let before = '[';
    this.at++;
    while (this.code() !== closeBracket) {
      if (this.code() === comma) this.at++;
      output.add(before);
      before = ',';
      yield* this.valueInSteps(selection, output);
    }
    this.at++;
    output.add(before === '[' ? '[]' : ']');
  }

  private *objectInSteps({ members }: Selection, output: JsonOutput): Generator<void, void> {
    /** The starts of the values. */
    const starts = new Map<string, number>();
    this.at++;
    while (this.code() !== closeBrace) {
      if (this.code() === comma) this.at++;
      const nameStart = this.at + 1;
      this.skipString();
      starts.set(this.text.slice(nameStart, this.at - 1), ++this.at);
      this.skipValue();
      yield;
    }
    const end = this.at + 1;
    output.add('{');
    for (let place = 0; place < members.length; place++) {
      const member = members[place] as Member;
      output.add((place === 0 ? '' : ',') + member.start);
      const start = starts.get(member.name);
      this.at = start ?? end;
      if (start === undefined) output.add(member.typeName ?? absentOf(member));
      else if (member.inner && this.code() !== nullStart) yield* this.valueInSteps(member.inner, output);
      else output.add(this.member(member));
      yield;
    }
    output.add('}');
    this.at = end;
  }

  /** `isOuter`: the end of the object is not needed, so nothing is read after the last selected member. */
  private object({ members, placesOf, length }: Selection, isOuter = false): string {
    const objectStart = this.at;
    this.work.add(length);
    const values: (string | undefined)[] = [];
    /** The place of the member that comes next if both have the same order. */
    let next = 0;
    let missing = members.length - (placesOf.get(typeNameField)?.length ?? 0);
    let isSame = true;
    this.at++;
    while (this.code() !== closeBrace && !(isOuter && missing === 0)) {
      if (this.code() === comma) this.at++;
      const expected = members[next];
      if (expected?.isOnly && this.text.startsWith(expected.source, this.at)) {
        this.at += expected.source.length;
        values[next++] = this.member(expected);
        isSame &&= this.isSame && expected.start === expected.source;
        missing--;
        continue;
      }
      isSame = false;
      const nameStart = this.at + 1;
      this.skipString();
      const places = placesOf.get(this.text.slice(nameStart, this.at - 1));
      this.at++;
      const start = this.at;
      if (!places) this.skipValue(nameStart);
      else {
        for (const place of places) {
          this.at = start;
          values[place] = this.member(members[place] as Member);
          next = place + 1;
          missing--;
        }
      }
    }
    this.isSame = isSame && next === members.length && this.code() === closeBrace;
    this.at++;
    if (this.isSame) return this.text.slice(objectStart, this.at);
    let json = '{';
    for (let place = 0; place < members.length; place++) {
      const member = members[place] as Member;
      json += `${place === 0 ? '' : ','}${member.start}${values[place] ?? member.typeName ?? absentOf(member)}`;
    }
    return `${json}}`;
  }

  private member(member: Member): string {
    this.isSame = true;
    if (this.code() === nullStart) {
      this.skipValue();
      return absentOf(member);
    }
    return member.inner ? this.value(member.inner) : this.skipValue();
  }

  private value(selection: Selection): string {
    if (this.code() === openBrace) return this.object(selection);
    this.isSame = true;
    if (this.code() !== openBracket) return this.skipValue();
    const start = this.at;
    /** Undefined while the selected JSON is the stored one. */
    let json: string | undefined;
    this.at++;
    while (this.code() !== closeBracket) {
      if (this.code() === comma) this.at++;
      const elementStart = this.at;
      const element = this.element(selection);
      if (json !== undefined) json += `,${element}`;
      else if (!this.isSame) json = this.text.slice(start, elementStart) + element;
    }
    this.at++;
    this.isSame = json === undefined;
    return json === undefined ? this.text.slice(start, this.at) : `${json}]`;
  }

  /** Returns the JSON of the selected members of an element of a list. */
  private element(selection: Selection): string {
    const { wholeObject } = selection;
    if (wholeObject) {
      wholeObject.lastIndex = this.at;
      if (wholeObject.test(this.text)) {
        const start = this.at;
        this.at = wholeObject.lastIndex;
        this.work.add(this.at - start + 1);
        this.isSame = true;
        return this.text.slice(start, this.at);
      }
    }
    return this.value(selection);
  }

  /** Returns the JSON of the value that begins here. The work is what is read since `from`. */
  private skipValue(from = this.at): string {
    const start = this.at;
    let depth = 0;
    do {
      const code = this.code();
      if (code === quote) this.skipString();
      else {
        if (code === openBrace || code === openBracket) depth++;
        else if (code === closeBrace || code === closeBracket) depth--;
        this.at++;
      }
    } while (depth > 0 || !this.isAtEnd());
    this.work.add(this.at - from);
    return this.text.slice(start, this.at);
  }

  /** Whether a value that has no open bracket has ended. */
  private isAtEnd(): boolean {
    const code = this.code();
    return code === comma || code === closeBrace || code === closeBracket;
  }

  private skipString(): void {
    let before: number;
    do {
      this.at = this.text.indexOf('"', this.at + 1);
      if (this.at < 0) throw ended();
      before = this.at - 1;
      while (this.text.charCodeAt(before) === backslash) before--;
    } while ((this.at - before) % 2 === 0);
    this.at++;
  }

  private code(): number {
    const code = this.text.charCodeAt(this.at);
    if (Number.isNaN(code)) throw ended();
    return code;
  }
}

const ended = () => new Error('a stored object ends early');
