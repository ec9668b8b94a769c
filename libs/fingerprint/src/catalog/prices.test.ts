import { describe, expect, it } from 'vitest';
import { lowestOf, minorUnits, type PriceContext, readPrice } from './prices.ts';

/** What is read: minor units of the currency, low and high of a range, or nothing. */
function read(text: unknown, context: PriceContext): string | undefined {
  const price = readPrice(text, context);
  if (!price) return undefined;
  const currency = price.currencies.length === 1 ? price.currencies[0] : context.currency;
  const [low, high] = [minorUnits(price.low, currency), minorUnits(price.high, currency)];
  return low === high ? `${low}` : `${low}-${high}`;
}

const usd: PriceContext = { currency: 'USD', decimalMark: '.' };
const eur: PriceContext = { currency: 'EUR', decimalMark: ',' };
const of = (currency: string, decimalMark?: '.' | ','): PriceContext => ({ currency, decimalMark });
const unknown: PriceContext = {};

/** Minor units: cents, fils, or whole yen. */
const spellings: readonly [text: unknown, context: PriceContext, minor: string | undefined][] = [
  // One amount, dollars and pounds
  ['19.99', usd, '1999'],
  ['$19.99', usd, '1999'],
  ['$ 19.99', usd, '1999'],
  ['19.99 $', usd, '1999'],
  ['$1,299.00', usd, '129900'],
  ['$1,299.00 USD', usd, '129900'],
  ['USD 1,299.00', unknown, '129900'],
  ['US$1,299', unknown, '129900'],
  ['$1,299', usd, '129900'],
  ['$12,345,678.90', usd, '1234567890'],
  ['$.99', usd, '99'],
  ['$0.99', usd, '99'],
  ['$5', usd, '500'],
  ['$5.5', usd, '550'],
  ['$19.99*', usd, '1999'],
  ['Price: $19.99', usd, '1999'],
  ['Sale price $19.99', usd, '1999'],
  ['$19.99 ea.', usd, '1999'],
  ['C$24.50', unknown, '2450'],
  ['CA$24.50', unknown, '2450'],
  ['AU$24.50', unknown, '2450'],
  ['NZ$24.50', unknown, '2450'],
  ['HK$1,299.00', unknown, '129900'],
  ['£1,299.00', of('GBP', '.'), '129900'],
  ['£12.50 inc VAT', of('GBP', '.'), '1250'],
  ['£12.50 (inc. 20% VAT)', of('GBP', '.'), '1250'],
  ['1299', usd, '129900'],
  ['1299.00', usd, '129900'],
  ['23.900000', usd, '2390'],
  ['0.250', usd, '25'],
  ['1299.000', usd, '129900'],
  ['19 .99', usd, '1999'],
  // Euro and its neighbours
  ['1.299,00 €', eur, '129900'],
  ['1.299,00\u00a0€', eur, '129900'],
  ['1 299,00 €', eur, '129900'],
  ['1\u202f299,00\u202f€', eur, '129900'],
  ['€1.299', eur, '129900'],
  ['€ 1.299,-', eur, '129900'],
  ['€ 19,-', eur, '1900'],
  ['19,- €', eur, '1900'],
  ['19,– €', eur, '1900'],
  ['19,90 €', eur, '1990'],
  ['19,9 €', eur, '1990'],
  ['€19.90', eur, '1990'],
  ['€1,299.00', of('EUR'), '129900'],
  ['EUR 1.299', eur, '129900'],
  ['1299 Euro', eur, '129900'],
  ['ab 19,90 €', eur, '1990'],
  ['à partir de 19,90 €', eur, '1990'],
  ['Desde 19,90 €', eur, '1990'],
  ['A partire da 1.299,00 €', eur, '129900'],
  ['19,90 € inkl. 19 % MwSt.', eur, '1990'],
  ['19,90 € TTC', eur, '1990'],
  ['19,90 € / kg', eur, '1990'],
  ['19,90 € pro 100 g', eur, '1990'],
  ['19,90 € (4,98 €/100 g)', eur, '1990'],
  ['19€99', eur, '1999'],
  ['19€99', unknown, '1999'],
  ['1 299€99 TTC', eur, '129999'],
  ['1.299€99', eur, '129999'],
  ['19€99 - 29€99', eur, '1999-2999'],
  ['10€50 cl', eur, undefined],
  ['10€20€', eur, undefined],
  ['Lot 2 19€ 99', eur, undefined],
  ['1 299:-', unknown, '129900'],
  ["CHF 1'299.00", of('CHF', '.'), '129900'],
  ['CHF 1’299.–', of('CHF', '.'), '129900'],
  ['CHF 19.-', of('CHF', '.'), '1900'],
  ['Fr. 19.90', of('CHF', '.'), '1990'],
  ['1 299,00 zł', of('PLN', ','), '129900'],
  ['49,99 zł', unknown, '4999'],
  ['1 299 Kč', of('CZK', ','), '129900'],
  ['12 990 Ft', of('HUF', ','), '1299000'],
  ['129,99 lei', of('RON', ','), '12999'],
  ['50.430,00 RON', of('RON', ','), '5043000'],
  ['25,00 лв.', of('BGN', ','), '2500'],
  ['1 299 kr', of('SEK', ','), '129900'],
  ['1 299:-', of('SEK', ','), '129900'],
  ['1.299,- kr.', of('DKK', ','), '129900'],
  ['kr 1 299,50', of('NOK', ','), '129950'],
  ['kr.299', of('DKK', ','), '29900'],
  ['4.990 kr.', of('ISK', ','), '4990'],
  ['1 299 ₽', of('RUB', ','), '129900'],
  ['1 299,50 руб.', of('RUB', ','), '129950'],
  ['1 299 грн', of('UAH', ','), '129900'],
  ['1.299,00 TL', of('TRY', ','), '129900'],
  ['₺1.299,90', unknown, '129990'],
  // Asia, Africa, the Middle East
  ['Rs.1,299', of('INR', '.'), '129900'],
  ['Rs. 1,299.00', of('INR', '.'), '129900'],
  ['Rs. 1,29,900', of('INR', '.'), '12990000'],
  ['Rs.99', of('PKR', '.'), '9900'],
  ['Rs 1299/-', of('INR', '.'), '129900'],
  ['₹1,299', unknown, '129900'],
  ['₹ 12,34,567.50', unknown, '123456750'],
  ['৳ 1,250.00', unknown, '125000'],
  ['৳\u00a0১,২৫০', unknown, '125000'],
  ['¥1,200', of('JPY', '.'), '1200'],
  ['¥1,299円（税込）', of('JPY', '.'), '1299'],
  ['１，２９９円', unknown, '1299'],
  ['1,299円(税込1,428円)', unknown, '1299'],
  ['￥1,200', of('JPY', '.'), '1200'],
  ['¥129.00', of('CNY', '.'), '12900'],
  ['₩12,900', unknown, '12900'],
  ['12,900원', unknown, '12900'],
  ['NT$1,299', unknown, '129900'],
  ['RM 49.90', unknown, '4990'],
  ['Rp 1.299.000', unknown, '129900000'],
  ['Rp129.000', of('IDR', ','), '12900000'],
  ['₫1.299.000', unknown, '1299000'],
  ['1.299.000 ₫', unknown, '1299000'],
  ['1.299.000đ', unknown, '1299000'],
  ['฿1,299.00', unknown, '129900'],
  ['₱1,299.00', unknown, '129900'],
  ['S$12.90', unknown, '1290'],
  ['KWD 1.250', unknown, '1250'],
  ['BHD 12.500', unknown, '12500'],
  ['12,500 TND', of('TND', ','), '12500'],
  ['2099 DT', unknown, '2099000'],
  ['JOD 5.75', unknown, '5750'],
  ['AED 1,299.00', unknown, '129900'],
  ['١٬٢٩٩٫٥٠ AED', unknown, '129950'],
  ['۱٬۲۹۹', of('SAR', '.'), '129900'],
  ['\u200f1,299.00 SAR\u200e', unknown, '129900'],
  ['₪ 129.90', unknown, '12990'],
  ['R 1 299.00', of('ZAR'), '129900'],
  ['R1,299.00', of('ZAR'), '129900'],
  ['₦12,500', unknown, '1250000'],
  ['KSh 1,299', unknown, '129900'],
  ['EGP 1,299', unknown, '129900'],
  ['Rp1.299.000', unknown, '129900000'],
  ['١٬٢٩٩٫٠٠ ر.س', unknown, '129900'],
  ['١٬٢٩٩ ر.س', unknown, '129900'],
  ['١٬٢٩٩', of('EUR', ','), '129900'],
  ['١٢٫٩٠٠ د.ك', unknown, '12900'],
  ['١٬٢٩٩ د.ك', of('KWD', ','), '1299000'],
  ['١٢٫٩٠٠', of('SAR'), undefined],
  ['1,299.00 د.إ', unknown, '129900'],
  ['د.إ1,299.00', unknown, '129900'],
  ['12.500 د.ب', unknown, '12500'],
  // Tomans are refused, also in shops that state rials.
  ['۱۲٬۹۰۰ تومان', unknown, undefined],
  ['12,900 تومان', of('IRR'), undefined],
  ['12,900.00 تومان', unknown, undefined],
  ['12,900 Toman', unknown, undefined],
  // Latin America
  ['R$ 1.299,90', unknown, '129990'],
  ['$44.900', of('CLP', ','), '44900'],
  ['$ 1.299.990', of('CLP', ','), '1299990'],
  ['$1.299.900,00', of('COP', ','), '129990000'],
  ['$1,299.00 MXN', unknown, '129900'],
  ['S/ 129.90', unknown, '12990'],
  ['S/. 129.90', unknown, '12990'],
  // Ranges and lowest prices
  ['19.99-29.99', usd, '1999-2999'],
  ['$19.99 - $29.99', usd, '1999-2999'],
  ['$19.99 – $29.99', usd, '1999-2999'],
  ['$19.99 to $29.99', usd, '1999-2999'],
  ['19,99 € – 29,99 €', eur, '1999-2999'],
  ['19,99 € bis 29,99 €', eur, '1999-2999'],
  ['From $19.99 to $29.99 USD', usd, '1999-2999'],
  ['¥1,200 ～ ¥2,400', of('JPY', '.'), '1200-2400'],
  ['from $10', usd, '1000'],
  ['From $10.00 USD', usd, '1000'],
  ['$10+', usd, '1000'],
  ['Price per person from THB 2,300', unknown, '230000'],
  ['499€ 499€ 499', eur, '49900'],
  // Numbers of JSON
  [19.99, usd, '1999'],
  [0.1, usd, '10'],
  [1299, usd, '129900'],
  [1.005, usd, '101'],
  [1e-7, usd, '0'],
  // No price, or more than one reading
  ['', usd, undefined],
  ['Free', usd, undefined],
  ['Sold out', usd, undefined],
  ['Call for price', usd, undefined],
  ['25% off', usd, undefined],
  ['-25%', usd, undefined],
  ['Save $5', usd, undefined],
  ['$5.00 off', usd, undefined],
  ['Free shipping over $50', usd, undefined],
  ['100 points', usd, undefined],
  ['2 for $10', usd, undefined],
  ['3 x 9,99 €', eur, undefined],
  ['4 installments of $12.50', usd, undefined],
  ['$29.99 $19.99', usd, undefined],
  ['$29.99 now $19.99', usd, undefined],
  ['29.99 - 19.99', usd, undefined],
  ['$19 99', usd, undefined],
  ['12.05.2020', usd, undefined],
  ['10.0.0.1', usd, undefined],
  ['1,2345', usd, undefined],
  ['1.299', usd, undefined],
  ['1.299', unknown, undefined],
  ['1,299', unknown, '129900'],
  ['1.299', of('EUR'), '129900'],
  ['-5', usd, undefined],
  ['- $5', usd, undefined],
  ['+20,00 €', eur, undefined],
  ['1e999', usd, undefined],
  ['9999999999999', usd, undefined],
  [null, usd, undefined],
  [Number.NaN, usd, undefined],
  [-1, usd, undefined],
  [1e12, usd, undefined],
  [{}, usd, undefined],
];

describe('readPrice', () => {
  it('the table of prices has at least 150 spellings', () => {
    expect(spellings.length).toBeGreaterThanOrEqual(150);
  });

  it.each(spellings)('readPrice reads %j in %j as %s minor units', (text, context, minor) => {
    expect(read(text, context)).toBe(minor);
  });

  it.each([
    ['$1,299.00 USD', ['USD']],
    ['CHF 1’299.–', ['CHF']],
    ['1.299,00 €', ['EUR']],
    ['KWD 1.250', ['KWD']],
    ['1,299円', ['JPY']],
    ['¥1,200', ['JPY', 'CNY']],
    ['R$ 10,00', ['BRL']],
    ['1 299 kr', ['SEK', 'NOK', 'DKK', 'ISK']],
    ['Rp1.299.000', ['IDR']],
    ['RM49.90', ['MYR']],
    ['1299kr', ['SEK', 'NOK', 'DKK', 'ISK']],
    ['Rs1,299', ['INR', 'PKR', 'LKR', 'NPR', 'MUR']],
    ['129,99lei', ['RON']],
    ['6Ft', []],
    ['19€99', ['EUR']],
    ['١٬٢٩٩ ر.س', ['SAR']],
    ['19.99', []],
    ['19.99 NEW', []],
  ])('the price %s allows the currencies %j', (text, currencies) => {
    expect(readPrice(text, usd)?.currencies).toEqual(currencies);
  });

  it('readPrice reads only the beginning of a text', () => {
    expect(read(`$19.99${' '.repeat(1_000_000)}$5`, usd)).toBe('1999');
    expect(read('1,'.repeat(1_000_000), usd)).toBeUndefined();
  });
});

describe('lowestOf', () => {
  it('lowestOf supports as many prices as a page can have', () => {
    const prices = Array.from({ length: 500_000 }, (_, n) => ({ units: BigInt(500_000 - n), scale: 0 }));
    expect([lowestOf(prices), lowestOf([])]).toEqual([{ units: 1n, scale: 0 }, undefined]);
    expect(
      lowestOf([
        { units: 5n, scale: 0 },
        { units: 49n, scale: 1 },
      ]),
    ).toEqual({ units: 49n, scale: 1 });
  });
});
