/** Prices of catalogues: numbers in major units, rounded to cents. Not for billing. */
const maxPrice = 100_000_000;

/** Parses a price of a feed: a number, "1299.00", "1,299.00", "1.299,00 €". Undefined when it is not a price. */
export function readPrice(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value !== 'string' || /^\s{0,4}-|\de[+\d]/i.test(value.slice(0, 40))) return undefined;
  const digits = value.slice(0, 40).replace(/[^\d.,]/g, '');
  if (!/\d/.test(digits)) return undefined;
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  const decimal = Math.max(comma, point);
  // One kind of separator before exactly three digits separates thousands. With two kinds the last one is the decimal
  // separator.
  const groups = decimal !== -1 && digits.length - decimal === 4 && (comma === -1 || point === -1) && digits.length > 4;
  const isDecimal = decimal !== -1 && !(groups && (comma !== -1 || digits.indexOf('.') !== point));
  const whole = isDecimal ? digits.slice(0, decimal) : digits;
  const cents = isDecimal ? digits.slice(decimal + 1) : '';
  return inRange(Number(`${whole.replace(/[.,]/g, '') || '0'}.${cents || '0'}`));
}

function inRange(value: number): number | undefined {
  return Number.isFinite(value) && value >= 0 && value <= maxPrice ? value : undefined;
}

const cents = (value: number): number => Math.round(value * 100) / 100;

/** Linear interpolation between the closest ranks. */
function percentile(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)] ?? 0;
  const above = sorted[Math.ceil(rank)] ?? below;
  return cents(below + (above - below) * (rank - Math.floor(rank)));
}

/** Quartiles of the positive prices; zeros when there are none. */
export function priceRangeOf(prices: readonly number[]): { p25: number; median: number; p75: number } {
  const sorted = prices.filter((price) => price > 0).sort((one, other) => one - other);
  if (sorted.length === 0) return { p25: 0, median: 0, p75: 0 };
  return { p25: percentile(sorted, 0.25), median: percentile(sorted, 0.5), p75: percentile(sorted, 0.75) };
}

/** The lowest price; undefined for an empty list. Works for lists of any length. */
export function lowestOf(prices: readonly number[]): number | undefined {
  let lowest: number | undefined;
  for (const price of prices) if (lowest === undefined || price < lowest) lowest = price;
  return lowest;
}

/** ISO 4217 code in upper case; undefined when `value` does not have its form. */
export function currencyCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const code = value.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) && code !== 'XXX' ? code : undefined;
}
