import { decodeHTMLAttribute } from 'entities';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { PageTokenizer } from './tokenizer.ts';

/** What the parser reports with the tokenizer of this package, or with its own. Neighbouring texts are one text. */
function events(html: string, tokenizer?: typeof PageTokenizer): string[] {
  const seen: string[] = [];
  let text = '';
  const note = (event: string): void => {
    if (text !== '') seen.push(`text ${text}`);
    text = '';
    seen.push(event);
  };
  let tag: string | undefined;
  const open = (attributes: Record<string, string> | undefined, end: number): void => {
    if (tag !== undefined && attributes) note(`open ${tag} ${JSON.stringify(attributes)} to ${end}`);
    tag = undefined;
  };
  const options = {
    decodeEntities: false,
    tagReader: { onattributes: open },
    ...(tokenizer && { Tokenizer: tokenizer }),
  };
  const parser: Parser = new Parser(
    {
      ...(tokenizer
        ? {
            onopentagname: (name) => {
              tag = name;
            },
          }
        : {
            onopentag: (name, attributes) => {
              const decoded = Object.entries(attributes).map(([key, value]) => [key, decodeHTMLAttribute(value)]);
              note(`open ${name} ${JSON.stringify(Object.fromEntries(decoded))} to ${parser.endIndex}`);
            },
          }),
      onclosetag: (name) => {
        if (tag !== undefined) open({}, parser.endIndex);
        note(`close ${name} from ${parser.startIndex}`);
      },
      oncomment: (data) => note(`comment ${data} ${parser.startIndex}-${parser.endIndex}`),
      ontext: (data) => {
        text += data;
      },
      onend: () => note('end'),
    },
    options,
  );
  parser.write(html);
  parser.end();
  return seen;
}

const parts = [
  ...['<p>', '</p>', '<a href="/x?a=1&amp;b">', "<b title='>'>", '<i class=a/b id>', '<br/>', '<br / >', '<hr /x>'],
  ...['< p>', '<3', '</ p>', '</3>', '</>', '<>', '<', '</', '<?php echo ?>', '<!DOCTYPE html>', '<!doc>', '<!-x>'],
  ...['<!-- a -->', '<!-->', '<!--->', '<!-- a --!> b -->', '<!-- a --->', '<!--', '-->', '<![CDATA[ a ]] ]]]>'],
  ...[
    '<script>',
    '</script>',
    '</script',
    '</SCRIPT >',
    'a < b && "</p>"',
    '<style/>',
    '</style>',
    '<title>',
    '</title>',
  ],
  ...[
    '<textarea>',
    '</textarea\n>',
    '<iframe src=a>',
    '</iframe>',
    '<svg>',
    '</svg>',
    '<path d="" />',
    '<xmp>',
    '</xmp>',
  ],
  ...['<a =b>', '<a b = c>', '<a b="', '"', "'", '=', ' ', '\n', '/', '>', 'text', '\u00a0', 'é', '<É>', '<scripted>'],
];

/** The same sequence in every run. */
function* pseudoRandom(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor((state / 2_147_483_648) * parts.length);
  }
}

describe('PageTokenizer', () => {
  it('cuts any sequence of markup and text as the tokenizer of htmlparser2 does', () => {
    const random = pseudoRandom(7);
    for (let page = 0; page < 3000; page++) {
      const html = `${Array.from({ length: 8 }, () => parts[random.next().value as number]).join('')}${'<p>">\'></p>--!>]]>'.repeat(2)} end`;
      expect(events(html, PageTokenizer), html).toEqual(events(html));
    }
  });
});
