import { decodeHTMLAttribute } from 'entities';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { maxOpenTags, PageParser } from './parser.ts';

/** Events as lines. Neighbouring texts are one text. */
class EventLog {
  readonly seen: string[] = [];
  private text = '';

  note(event: string): void {
    if (this.text !== '') this.seen.push(`text ${this.text}`);
    this.text = '';
    this.seen.push(event);
  }

  addText(data: string): void {
    this.text += data;
  }

  open(name: string, attributes: Record<string, string>, end: number): void {
    this.note(`open ${name} ${JSON.stringify(attributes)} to ${end}`);
  }
}

/** What the parser of this package reports. */
function ownEvents(html: string): string[] {
  const log = new EventLog();
  new PageParser(html, {
    onstarttag: ({ name }, attributes, end) => log.open(name, attributes, end),
    onendtag: (name, start) => log.note(`close ${name} from ${start}`),
    ontext: (data) => log.addText(data),
    oncomment: (data, start, end) => log.note(`comment ${data} ${start}-${end}`),
    onrestart: () => log.note('restart'),
  }).parse();
  log.note('end');
  return log.seen;
}

/** What the parser of htmlparser2 reports. */
function events(html: string): string[] {
  const log = new EventLog();
  const decoded = (attributes: Record<string, string>) =>
    Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, decodeHTMLAttribute(value)]));
  const parser: Parser = new Parser(
    {
      onopentag: (name, attributes) => log.open(name, decoded(attributes), parser.endIndex),
      onclosetag: (name) => log.note(`close ${name} from ${parser.startIndex}`),
      oncomment: (data) => log.note(`comment ${data} ${parser.startIndex}-${parser.endIndex + 1}`),
      ontext: (data) => log.addText(data),
      onend: () => log.note('end'),
    },
    { decodeEntities: false },
  );
  parser.write(html);
  parser.end();
  return log.seen;
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
function* pseudoRandom(seed: number, below: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor((state / 2_147_483_648) * below);
  }
}

/** The least processor time of several runs, in microseconds. */
function leastCost(html: string): number {
  const ignore = () => {};
  const events = { onstarttag: ignore, onendtag: ignore, ontext: ignore, oncomment: ignore, onrestart: ignore };
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    new PageParser(html, events).parse();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}

/** Names with rules: ends that authors leave out, other contexts, names with capital letters. */
const names =
  'p div li ul a form h1 h3 select option optgroup tr td th table tbody thead dd dt rt br hr img image svg math mi title desc foreignObject foreignobject linearGradient lineargradient textarea body head link button annotation-xml x-a X-b constructor'.split(
    ' ',
  );
const tags = names.flatMap((name) => [`<${name}>`, `<${name} />`, `</${name}>`, `<${name.toUpperCase()} a="1">`]);

describe('PageParser', () => {
  it.each([
    ['markup and text', parts],
    ['tags', [...tags, 'x', '<![CDATA[ b ]]>', '<!-- c -->', '<style>', '</style>']],
  ])('reports for any sequence of %s what the parser of htmlparser2 reports', (_, choices) => {
    const random = pseudoRandom(7, choices.length);
    for (let page = 0; page < 3000; page++) {
      const html = `${Array.from({ length: 10 }, () => choices[random.next().value as number]).join('')}${'<p>">\'></p>--!>]]>'.repeat(2)} end`;
      expect(ownEvents(html), html).toEqual(events(html));
    }
  });

  it('closes elements by name when a page has more names than the parser keeps', () => {
    const all = Array.from({ length: 300 }, (_, i) => i);
    const html = [
      ...all.map((i) => `<u${i}><X${i}>`),
      ...all.map((i) => `<u${i}>`),
      ...all.toReversed().map((i) => `</u${i}></none${i}>`),
      '</x250></U200></u10>',
    ].join('');
    expect(ownEvents(html)).toEqual(events(html));
  });

  it.each(['<i', '<i a="1', '</', '</b', '</q ', '</q</plaintext'])(
    'reports no text of %s at the end of a page',
    (end) => {
      expect(ownEvents(`<b>x${end}`).filter((event) => event.startsWith('text'))).toEqual(['text x']);
    },
  );

  it.each([
    ['</q>', ''],
    ['</qq>', ''],
    ['</foreignobject>', '<svg><title>'],
    ['<form>', '<form>'],
  ])('reads %s below many open tags as fast as below few', (tag, before) => {
    const rest = before + tag.repeat(50_000);
    const belowFew = leastCost(`<b>${rest}`);
    expect(leastCost('<b>'.repeat(990) + rest)).toBeLessThan(4 * belowFew);
  });

  it('forgets the open tags when there are too many, and reads on', () => {
    const log = ownEvents(`${'<b>'.repeat(maxOpenTags - 1)}<qq><i><u>t</u></b></qq></i>`);
    expect(log.slice(-5)).toEqual(['restart', 'open u {} to 3006', 'text t', 'close u from 3008', 'end']);
  });
});
