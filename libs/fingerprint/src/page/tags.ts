import { asMemberName, nameStep } from './attribute-names.ts';

/** What the parser has to know about the name of a tag. Each name that is listed here has one object in the process. */
export interface Tag {
  /** A listed name has a number of its own from 1 to {@link tagNumbers} - 1. All other names have 0. */
  number: number;
  /** In lower case. */
  name: string;
  /** The element has no content and no end tag. */
  isVoid: boolean;
  /** The content is text up to the end tag of this name. */
  isRawText: boolean;
  /** `svg` or `math`: what is inside follows other rules. */
  isForeign: boolean;
  /** Inside of it, HTML is back: `foreignObject`. */
  isIntegration: boolean;
  /** Names of open elements that end where this element starts. */
  ends: ReadonlySet<string> | undefined;
  /** The tag with capital letters that this tag becomes inside `svg`; most tags stay the same. */
  inSvg: Tag | undefined;
}

const words = (text: string): string[] => text.split(' ');
const voidTags = new Set(
  words('area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'),
);
const rawTextTags = new Set(words('iframe noembed noframes script style textarea title xmp'));
const integrationTags = new Set(words('mi mo mn ms mtext annotation-xml foreignObject desc title'));
const svgNames = new Map(
  words(
    'altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient radialGradient textPath',
  ).map((name) => [name.toLowerCase(), name]),
);

/** The start of an element on the left ends open elements on the right. */
const ending = new Map(
  (
    [
      ['tr', 'tr th td'],
      ['th', 'th'],
      ['td', 'thead th td'],
      ['body', 'head link script'],
      ['a', 'a'],
      ['li', 'li'],
      [
        'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
        'p',
      ],
      ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
      ['select input output button datalist textarea', 'input option optgroup select button datalist textarea'],
      ['option', 'option'],
      ['optgroup', 'optgroup option'],
      ['dd dt', 'dd dt'],
      ['rt rp', 'rt rp'],
      ['tbody tfoot', 'thead tbody'],
    ] as const
  ).flatMap(([starting, ended]) => words(starting).map((name) => [name, new Set(words(ended))] as const)),
);

const makeTag = (name: string, number: number): Tag => ({
  number,
  name: asMemberName(name),
  isVoid: voidTags.has(name),
  isRawText: rawTextTags.has(name),
  isForeign: name === 'svg' || name === 'math',
  isIntegration: integrationTags.has(name),
  ends: ending.get(name),
  inSvg: undefined,
});

/** Names with a rule of their own, and other frequent ones. */
const listed = new Map<string, Tag>();
for (const name of [
  ...voidTags,
  ...rawTextTags,
  ...integrationTags,
  ...svgNames.keys(),
  ...svgNames.values(),
  ...ending.keys(),
  ...words(
    'svg math plaintext span i b em strong small label img path use g rect circle polygon line defs symbol noscript html head center font template picture video audio sup sub u s del ins time thead cite code bdi abbr canvas legend',
  ),
])
  if (!listed.has(name)) listed.set(name, makeTag(name, listed.size + 1));
for (const [name, inSvg] of svgNames) (listed.get(name) as Tag).inSvg = listed.get(inSvg);
export const tagNumbers = listed.size + 1;
export const imgTag = listed.get('img') as Tag;
export const formTag = listed.get('form') as Tag;

const tableSize = 4096;
const table: (Tag | undefined)[] = Array.from({ length: tableSize });
for (const tag of listed.values()) {
  // Pages write names with capital letters, too, and outside of `svg` they mean others.
  if (tag.name !== tag.name.toLowerCase()) continue;
  let hash = 0;
  for (let at = 0; at < tag.name.length; at++) hash = nameStep(hash, tag.name.charCodeAt(at));
  table[hash & (tableSize - 1)] = tag;
}

/** The tag with the name in `text` that has this hash, when it is a frequent one in lower case. */
export function frequentTag(hash: number, text: string, from: number, to: number): Tag | undefined {
  const tag = table[hash & (tableSize - 1)];
  return tag !== undefined && tag.name.length === to - from && text.startsWith(tag.name, from) ? tag : undefined;
}

export const tagOf = (name: string): Tag => listed.get(name) ?? otherTag(name);

/** A page can have any number of such names, so V8 does not keep them as names of members. */
const otherTag = (name: string): Tag => ({
  number: 0,
  name,
  isVoid: false,
  isRawText: false,
  isForeign: false,
  isIntegration: false,
  ends: undefined,
  inSvg: undefined,
});
