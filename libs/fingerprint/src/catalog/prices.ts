import { currenciesIn, type DecimalMark, digitsOf, tomans } from './currencies.ts';

/**
 * Reads prices that people or machines write, exactly: a price is an integer and a number of decimal digits, never a floating-point number.
 * A text that has a second reading is refused, because no price is better than a wrong one.
 *
 * - Bounds: the first 120 characters of a text, 12 digits before the decimal mark, 8 digits after it.
 */
const maxTextChars = 120;
const maxWholeDigits = 12;
const maxDecimals = 8;

/** `units / 10 ** scale`, in major units of a currency. */
export interface Price {
  units: bigint;
  scale: number;
}

export interface ReadPrice {
  low: Price;
  /** Equal to `low` unless the text is a range. */
  high: Price;
  /** The currencies that its words and signs allow. Empty if it has none. */
  currencies: readonly string[];
}

export interface PriceContext {
  /** ISO 4217. */
  currency?: string | undefined;
  decimalMark?: DecimalMark | undefined;
  /** Whether the text comes from structured data. Its decimals may have any number of digits after a point. */
  isStructured?: boolean;
}

const power = (digits: number): bigint => 10n ** BigInt(digits);

/** The price in minor units of `currency`. Digits beyond these are rounded half up. */
export function minorUnits({ units, scale }: Price, currency: string | undefined): bigint {
  const digits = digitsOf(currency);
  if (scale <= digits) return units * power(digits - scale);
  const divisor = power(scale - digits);
  return (units + divisor / 2n) / divisor;
}

export function isLower(one: Price, other: Price): boolean {
  const scale = Math.max(one.scale, other.scale);
  return one.units * power(scale - one.scale) < other.units * power(scale - other.scale);
}

export const isEqual = (one: Price, other: Price): boolean => !isLower(one, other) && !isLower(other, one);

function decimal(whole: string, decimals: string): Price | undefined {
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (digits.length > maxWholeDigits) return undefined;
  const kept = decimals.slice(0, maxDecimals).replace(/0+$/, '');
  return { units: BigInt(`${digits || '0'}${kept}`), scale: kept.length };
}

/** Returns a price in minor units with a known number of digits, the form of the feeds of platforms. */
export function fromMinorUnits(value: unknown, digits: number): Price | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (
    typeof text !== 'string' ||
    !/^\d{1,15}$/.test(text) ||
    !Number.isInteger(digits) ||
    digits < 0 ||
    digits > maxDecimals
  )
    return undefined;
  return { units: BigInt(text), scale: digits };
}

/** Reads a JSON number. Its decimal form is exact. */
function fromNumber(value: number): Price | undefined {
  if (!Number.isFinite(value) || value < 0 || value > 1e11) return undefined;
  const [whole = '', decimals = ''] = value.toFixed(maxDecimals).split('.');
  // The shortest form that gives the same number is used: 19.99, not 19.98999999.
  const short = String(value);
  const exact = /^(\d+)(?:\.(\d+))?$/.exec(short);
  return exact ? decimal(exact[1] ?? '', exact[2] ?? '') : decimal(whole, decimals);
}

/** A price that a machine wrote for machines: a number, or digits with a point before the decimals. */
export function fromDecimal(value: unknown): Price | undefined {
  if (typeof value === 'number') return fromNumber(value);
  const [, whole, decimals = ''] =
    (typeof value === 'string' && /^\s{0,4}(\d{1,15})(?:\.(\d{1,20}))?\s{0,4}$/.exec(value)) || [];
  return whole === undefined ? undefined : decimal(whole, decimals);
}

const groupMarks = /['’`´·˙_\s]/g;

function grouped(parts: readonly string[], mark: string): string | undefined {
  const [first = '', ...rest] = parts;
  const western = first.length <= 3 && rest.every((part) => part.length === 3);
  // India writes 1,29,900.
  const indian =
    mark === ',' &&
    first.length <= 2 &&
    rest.at(-1)?.length === 3 &&
    rest.slice(0, -1).every((part) => part.length === 2);
  return first !== '' && (western || indian) ? parts.join('') : undefined;
}

/** A single mark before three digits separates either thousands or decimals. */
function threeDigits(whole: string, mark: DecimalMark, tail: string, context: PriceContext): Price | undefined {
  if (whole.length > 3 || /^0/.test(whole)) return decimal(whole, tail);
  const digits = digitsOf(context.currency);
  if (digits === 3 && (mark === '.' || context.decimalMark === ',')) return decimal(whole, tail);
  // A machine wrote 24.500 for 24.5, or a person wrote it for 24500. Only the language of the page decides.
  if (context.isStructured && mark === '.' && digits === 2 && context.decimalMark !== ',')
    return context.decimalMark === '.' ? decimal(whole, tail) : undefined;
  const contradicts = mark === '.' && context.decimalMark === '.' && digits === 2;
  const unknown = mark === '.' && context.decimalMark === undefined && context.currency === undefined;
  return contradicts || unknown ? undefined : decimal(whole + tail, '');
}

function fromToken(token: string, context: PriceContext): Price | undefined {
  const spaced = token.split(groupMarks);
  if (spaced.length > 1) {
    const last = /^(\d{3})(?:[.,](\d{1,2}))?$/.exec(spaced.at(-1) ?? '');
    const whole = last && grouped([...spaced.slice(0, -1), last[1] as string], ' ');
    return whole ? decimal(whole, last?.[2] ?? '') : undefined;
  }
  const point = token.lastIndexOf('.');
  const comma = token.lastIndexOf(',');
  if (point === -1 && comma === -1) return decimal(token, '');
  const mark: DecimalMark = point > comma ? '.' : ',';
  const other = mark === '.' ? ',' : '.';
  const parts = token.split(mark);
  const tail = parts.at(-1) ?? '';
  if (token.includes(other)) {
    const whole = parts.length === 2 ? grouped((parts[0] ?? '').split(other), other) : undefined;
    return whole && tail.length <= maxDecimals ? decimal(whole, tail) : undefined;
  }
  if (parts.length > 2) {
    const whole = grouped(parts, mark);
    return whole ? decimal(whole, '') : undefined;
  }
  if (tail.length === 3) return threeDigits(parts[0] ?? '', mark, tail, context);
  // More than three digits are decimals that a machine wrote. Machines write a point.
  if (tail.length > 3 && mark === ',') return undefined;
  return decimal(parts[0] ?? '', tail);
}

const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/** Replaces digits and marks of other scripts with ASCII, replaces any blank with a space, and removes invisible characters. */
export function plain(text: string): string {
  return text
    .slice(0, maxTextChars * 2)
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
    })
    .replace(/\u066b/g, '.')
    .replace(/[\u066c\u060c]/g, ',')
    .replace(/[‐‑‒–—―−〜～]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxTextChars);
}

/** Words before the lowest of several prices. Numbers before these words are not prices: "4 options from $439.34". */
const lowestWords =
  '(?:from|starting (?:at|from)|starts (?:at|from)|as low as|prices? from|ab|schon ab|bereits ab|à partir de|a partir de|dès|desde|a partire da|da|vanaf|van af|från|fra|od|již od|už od|от|від|alkaen|începând (?:de la|cu)|de la|από|dari|mulai dari)';
const currencyMark = '(?:[\\p{Sc}]|[A-Z]{1,3}\\s?\\$|[A-Z]{3}|kr\\.?|zł|Kč|Ft|Rs\\.?|R|Rp)';
const beforeLowest = new RegExp(
  `^.{0,80}?(?<!\\p{L})${lowestWords}[\\s:]{0,3}(?=${currencyMark}\\s?\\d|\\d[\\d.,'’\\s]{0,14}?(?:[.,]\\d{2}(?!\\d)|\\s?${currencyMark}(?!\\p{L})))`,
  'iu',
);

/** A count of the options that a buyer may choose from. */
const choices =
  /(?<![\d.,])\d{1,3}\s?(?:options?|colou?rs?|sizes?|variants?|variations?|styles?|varianten?|farben|größen|ausführungen|couleurs|tailles|options disponibles|variantes|opciones|colores|tallas|colori|taglie|varianti|kleuren|maten|opties|färger|storlekar|varianter|farger|størrelser|farver|kolory|kolorów|rozmiary|rozmiarów|warianty|wariantów|barvy|velikosti|cores|tamanhos|opções|цвет(?:а|ов)|размер(?:а|ов)?|вариант(?:а|ов)?)(?!\p{L})/giu;

/** If the text names the lowest of several prices, returns the text from that price on. */
export const fromLowest = (text: string): string => text.replace(choices, ' ').replace(beforeLowest, '').trim();

/** Removes parts of a price text that are not prices: notes in brackets, percentages, unit prices, signs of omitted decimals. */
const withoutNotes = (text: string): string =>
  text
    .replace(/\([^()]{0,100}\)|\[[^[\]]{0,100}\]|【[^】]{0,100}】/g, ' ')
    .replace(/[-+]?\s?\d{1,3}(?:[.,]\d{1,2})?\s?%/g, ' ')
    .replace(/(\d)\s([.,]\d{2})(?!\d)/g, '$1$2')
    // France writes 19€99. In `10€50 cl` the second number is a volume. Little else may therefore follow.
    .replace(/(\d)€(\d{2})(?=\s*(?:\*|TTC\b|HT\b|-\s?\d{1,4}€\d{2}\s*$|$))/g, '$1,$2 €')
    .replace(/(\d)\s?[.,:]\s?-{1,2}(?!\s?\d)/g, '$1 ')
    .replace(/(\d)\s?\/\s?-/g, '$1 ')
    .replace(
      /(\d[^\d]{0,12})(?:\/|\bper\b|\bpro\b|\bje\b|\bpar\b|\bpor\b|\bза\b)\s?\d{0,4}\s?[a-zа-яё²³]{1,12}(?![a-zа-яё]).*$/i,
      '$1 ',
    )
    .trim();

/** Words beside amounts that a buyer does not pay: rebates, minimum orders, instalments, points. */
const otherAmounts =
  /\b(?:off|save|saving|savings|discount|rabatt|spar(?:en|e|st)?|sie sparen|économisez|ahorra|risparmi|points?|reward|deposit|instal?ments?|shipping|versand|over|above|orders?|monthly|\/mo|was|before|statt|uvp|rrp|msrp|au lieu|antes|invece di|zamiast|voorheen|list price|compare at)\b/i;
// A blank within a number is allowed only before exactly three digits.
const token = /\d(?:[\d.,'’`´·˙_]|\s(?=\d{3}(?!\d)))*/g;
const betweenRange =
  /^\s*(?:-|\bto\b|\bbis\b|\btot\b|\bà\b|\ba\b|\bal\b|\bau\b|\btill\b|\baté\b|\bhasta\b|\bдо\b|\bdo\b|~)\s*$/i;
/** Currency signs and codes beside the second number of a range. */
const currencyWords =
  /[$€£¥₹৳₨₩₫₪₽₴₺₦₱฿₸₾円元원]|(?<![A-Za-z])(?:[A-Z]{2,3}|R|zł|Kč|Ft|lei|kr|Rs|Rp|лв|руб|грн|from|ab|von|de|da|desde|від|от)\.?(?![A-Za-z])/g;

/**
 * Reads one price or a range of two prices. `value` is a text, a number, or a decimal string of structured data. Returns undefined if there
 * is not a price, or more than one reading.
 */
export function readPrice(value: unknown, context: PriceContext = {}): ReadPrice | undefined {
  if (typeof value === 'number') {
    const price = fromNumber(value);
    return price && { low: price, high: price, currencies: [] };
  }
  if (typeof value !== 'string') return undefined;
  const written = withoutNotes(plain(value));
  const text = fromLowest(written);
  if (!/\d/.test(text) || /^[-+]\s?\D{0,4}\d|\d[eE][+\d]/.test(text) || otherAmounts.test(written) || tomans.test(text))
    return undefined;
  const currencies = currenciesIn(text);
  const currency = currencies.length === 1 ? currencies[0] : context.currency;
  const tokens = [...text.matchAll(token)];
  if (tokens.length === 0 || tokens.length > 4) return undefined;
  // The marks of Arabic have one meaning each.
  const decimalMark = /[\u066b\u066c]/.test(value.slice(0, maxTextChars)) ? '.' : context.decimalMark;
  const prices = tokens.map((match) => priceOfToken(match, text, { ...context, decimalMark, currency }));
  const [low, high = low] = prices;
  if (!low || !high || isLower(high, low)) return undefined;
  // Themes repeat a price for small screens and for machines.
  if (prices.every((price) => price?.units === low.units && price.scale === low.scale))
    return { low, high: low, currencies };
  if (tokens.length > 2) return undefined;
  if (tokens.length === 2) {
    const [first, second] = tokens as [RegExpExecArray, RegExpExecArray];
    const between = text.slice(first.index + first[0].length, second.index).replace(currencyWords, ' ');
    if (!betweenRange.test(between)) return undefined;
  }
  return { low, high, currencies };
}

function priceOfToken({ 0: found, index }: RegExpExecArray, text: string, context: PriceContext): Price | undefined {
  // `$.99` has no whole part. In `Rs.99` the point belongs to the word.
  const isFraction = /(?:^|[\s$€£¥₹-])[.,]$/.test(text.slice(Math.max(0, index - 2), index));
  const number = found.replace(/[.,'’`´·˙_\s]+$/, '');
  if (isFraction) return /^\d{1,2}$/.test(number) ? decimal('0', number) : undefined;
  return fromToken(number, context);
}

const numberOf = (minor: bigint, digits: number): number => {
  const text = String(minor).padStart(digits + 1, '0');
  return Number(digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`);
};

/** Interpolates linearly between the closest ranks, and rounds half up. `quarter`: 1, 2 or 3. */
function quartile(sorted: readonly bigint[], quarter: number): bigint {
  const position = (sorted.length - 1) * quarter;
  const below = sorted[Math.floor(position / 4)] ?? 0n;
  const above = sorted[Math.ceil(position / 4)] ?? below;
  return (below * 4n + (above - below) * BigInt(position % 4) + 2n) / 4n;
}

/** Returns quartiles of the positive prices in major units, exact to the minor unit of the currency. Returns zeros if there are none. */
export function priceRangeOf(
  prices: readonly Price[],
  currency: string | undefined,
): { p25: number; median: number; p75: number } {
  const digits = digitsOf(currency);
  const sorted = prices
    .map((price) => minorUnits(price, currency))
    .filter((minor) => minor > 0n)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const at = (quarter: number) => numberOf(quartile(sorted, quarter), digits);
  return { p25: at(1), median: at(2), p75: at(3) };
}

/** Returns the lowest price; undefined for an empty list. Works for lists of any length. */
export function lowestOf(prices: readonly Price[]): Price | undefined {
  let lowest: Price | undefined;
  for (const price of prices) if (lowest === undefined || isLower(price, lowest)) lowest = price;
  return lowest;
}
