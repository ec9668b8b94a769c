import { MarkIndex } from './mark-index.ts';

/**
 * Removes from the text of a page the parts about others: payment, hosting and advertising companies, carriers, manufacturers, and the
 * sample addresses of themes.
 */

type Kind =
  /** A line about the platform. */
  | 'credit'
  /** Names of others, with the text after them. */
  | 'others'
  | 'sample'
  | 'thirdParty';

interface Mention {
  kind: Kind;
  form: RegExp;
}

/** A mention that is cut out at every place. */
interface Cut extends Mention {
  every: RegExp;
}

/** Companies whose register numbers, addresses and phone numbers sites print beside their own. */
const thirdParties: readonly Mention[] = [
  '\\b(?:klarna|mollie|paypal|stripe|adyen|afterpay|clearpay|scalapay|sezzle|riverty|ratepay|payone|ovh|hetzner|ionos|strato|infomaniak|shopify|wix|squarespace|trusted shops)\\b',
  '\\b(?:dhl|fedex|ups|gls|dpd|hermes|usps|chronopost|postnl)\\b[^\\n]{0,80}?\\d[\\d ()/-]{5}',
  'h[ée]berge|hosted by|hosting',
].map((source) => ({ kind: 'thirdParty', form: new RegExp(source, 'i') }));
const thirdParty = new RegExp(thirdParties.map(({ form }) => form.source).join('|'), 'i');

const legalEnd =
  '[ ,]{1,2}(?:(?:europe|international|payments|internet|commerce|ireland|web services|technologies|hosting|bank)[ ,()]{1,3}){0,2}(?:inc|llc|ltd|limited|gmbh|sas|s\\.a\\.s|sarl|s\\.à r\\.l|ab|b\\.?v|se|plc|corporation|corp|ag|cie)\\b';
const cutOf = (kind: Kind, form: RegExp): Cut => ({ kind, form, every: new RegExp(form, `g${form.flags}`) });
const cut = (words: string, end: string, chars: number): Cut =>
  cutOf('others', new RegExp(`(?:${words})${end}[\\s\\S]{0,${chars}}`, 'iu'));
const label = '(?: \\([^()\\n]{1,40}\\))?\\s?[:：]';

/** Each expression has few alternatives, so that a scan for literals decides whether it runs. */
const others: readonly Cut[] = [
  // Legal names. The address follows in the next lines.
  cut(
    'shopify|google|meta platforms|facebook|paypal|stripe|klarna|automattic|squarespace|wix\\.com|amazon|cloudflare',
    legalEnd,
    160,
  ),
  cut(
    'hotjar|mailchimp|rocket science group|ionos|adyen|mollie|microsoft|twitter|pinterest|tiktok|hubspot|trustpilot',
    legalEnd,
    160,
  ),
  cut('trusted shops|godaddy|hostinger|gandi|o2switch|\\bovh', legalEnd, 160),
  cut('h[ée]bergeur|h[ée]bergement', '', 160),
  // The person whom product safety law requires to be named beside each product.
  cut(
    '\\b(?:hersteller(?:informationen|angaben|daten)?|inverkehrbringer|manufacturer(?: information| details)?|made by|importer|imported by|distributed by)',
    label,
    160,
  ),
  cut(
    '\\b(?:responsible person|eu-rep(?:resentative)?|eu rep(?:resentative)?|verantwortliche person|fabricant|fabricante|fabbricante|produttore|producent|importeur|importateur|importador)',
    label,
    160,
  ),
  cut('výrobce|gyártó|üretici|производитель', label, 160),
  // Addresses that themes, page builders and platforms show until the merchant replaces them.
  cut(
    '(?:121|123|21) king st|collins street west|(?:level|floor) 13,? 2 elizabeth|184 main r|(?:13|123|176|250) fifth ave|60,? 29th st|puffin street|puffinville',
    '',
    100,
  ),
  cut(
    '123,? (?:main|any|street|fake|example|sample|demo)|1234 (?:street|main|heaven|lorem|your|somewhere|example)|42,? avenue des champs|1600 amphitheatre',
    '',
    100,
  ),
  cut(
    'musterstra(?:ß|ss)e|musterfirma|mustermann|rua exemplo|calle falsa|sample address|street name \\d|infinite loop|45 grand central|old westbury 256',
    '',
    100,
  ),
  cut(
    '256, new york|785 15(?:h|th) street|po box (?:16122|97845|1212)|envato|johnson ave(?:nue)?,? (?:fl|new york)|2005 stokes isle',
    '',
    100,
  ),
  cut(
    '(?:8502|4517|2118|2972|3517|2715|6391) (?:preston|washington|thornridge|westheimer|w\\. gray|ash dr|elgin)',
    '',
    100,
  ),
];

/** Sample mail addresses and phone numbers. Themes print them beside the rest of their sample: a street, a town, a country. */
const sampleContact =
  /@(?:example(?:demo)?|demo|(?:your|my)?-?(?:domain|site|website|mail|email|company|shop|store|business))(?:name)?\.(?:com|net|org|co)\b|(?<!\d)(?:123\)?[\s.-]{1,3}456[\s.-]{1,3}789[\s.-]{0,3}0(?!\d)|234\)?[\s.-]{1,3}567[\s.-]{1,3}89\d|555\)?[\s.-]{1,3}555[\s.-]{1,3}5555)/i;
const linesAround = 3;
/** The copyright line of a theme ends the block of its sample contact. */
const linesToCopyright = 10;
const copyrightLine = /©|\(c\)|copyright/i;

const credit = cutOf(
  'credit',
  /\b(?:powered|created|built|made|hosted) (?:by|with|on) (?:shopify|wix(?:\.com)?|squarespace|stripe|paypal)\b/i,
);

const mentions = new MarkIndex<Mention | Cut>([
  credit,
  ...others,
  { kind: 'sample', form: sampleContact },
  ...thirdParties,
]);

/** Returns the page's own text. Linear: the windows are bounded, and each line is read once. */
export function ownText(text: string): string {
  let own = text;
  let found = mentions.matching(own);
  // Credits are cut before the rest. The remaining text may have other mentions than the whole text.
  for (const kind of ['credit', 'others'] as const) {
    const cuts = found.filter((mention) => mention.kind === kind);
    for (const mention of cuts) if ('every' in mention) own = own.replace(mention.every, ' ');
    if (cuts.length > 0) found = mentions.matching(own);
  }
  const has = (kind: Kind): boolean => found.some((mention) => mention.kind === kind);
  if (!has('sample') && !has('thirdParty')) return own;
  const lines = own.split('\n');
  const isSample = has('sample') ? linesNear(lines, sampleContact) : undefined;
  return lines.filter((line, at) => !isSample?.has(at) && !thirdParty.test(line)).join('\n');
}

/** Returns the indexes of matching lines, of the few lines around each, and of a copyright line soon after. */
function linesNear(lines: readonly string[], pattern: RegExp): ReadonlySet<number> {
  const near = new Set<number>();
  for (const [at, line] of lines.entries())
    if (pattern.test(line)) {
      for (let index = at - linesAround; index <= at + linesAround; index++) near.add(index);
      for (let index = at; index <= at + linesToCopyright; index++)
        if (copyrightLine.test(lines[index] ?? '')) near.add(index).add(index + 1);
    }
  return near;
}
