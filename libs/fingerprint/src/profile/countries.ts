/** Data that relates parts of a page to countries. Codes are ISO 3166-1 alpha-2. */

/** Country-code domains that are used worldwide and say nothing about the location. */
export const genericCcTlds: ReadonlySet<string> = new Set(
  'ac ai as bz cc cd co cx dj eu fm gg gl gs im io is la li ly me ms mu nu pw sc sh so st su sx tf tk tl tm to tv vc vg ws'.split(
    ' ',
  ),
);

export const ccTldExceptions: Readonly<Record<string, string>> = { uk: 'GB' };

/** Dialling codes without the plus sign. Several countries share +1 and +7, so these are omitted. */
export const diallingCodes: Readonly<Record<string, string>> = {
  20: 'EG',
  27: 'ZA',
  30: 'GR',
  31: 'NL',
  32: 'BE',
  33: 'FR',
  34: 'ES',
  36: 'HU',
  39: 'IT',
  40: 'RO',
  41: 'CH',
  43: 'AT',
  44: 'GB',
  45: 'DK',
  46: 'SE',
  47: 'NO',
  48: 'PL',
  49: 'DE',
  51: 'PE',
  52: 'MX',
  53: 'CU',
  54: 'AR',
  55: 'BR',
  56: 'CL',
  57: 'CO',
  58: 'VE',
  60: 'MY',
  61: 'AU',
  62: 'ID',
  63: 'PH',
  64: 'NZ',
  65: 'SG',
  66: 'TH',
  81: 'JP',
  82: 'KR',
  84: 'VN',
  86: 'CN',
  90: 'TR',
  91: 'IN',
  92: 'PK',
  94: 'LK',
  98: 'IR',
  212: 'MA',
  213: 'DZ',
  216: 'TN',
  233: 'GH',
  234: 'NG',
  254: 'KE',
  255: 'TZ',
  256: 'UG',
  351: 'PT',
  352: 'LU',
  353: 'IE',
  354: 'IS',
  355: 'AL',
  356: 'MT',
  357: 'CY',
  358: 'FI',
  359: 'BG',
  370: 'LT',
  371: 'LV',
  372: 'EE',
  373: 'MD',
  374: 'AM',
  375: 'BY',
  377: 'MC',
  380: 'UA',
  381: 'RS',
  382: 'ME',
  385: 'HR',
  386: 'SI',
  387: 'BA',
  389: 'MK',
  420: 'CZ',
  421: 'SK',
  423: 'LI',
  502: 'GT',
  503: 'SV',
  504: 'HN',
  506: 'CR',
  507: 'PA',
  591: 'BO',
  593: 'EC',
  595: 'PY',
  598: 'UY',
  852: 'HK',
  853: 'MO',
  855: 'KH',
  880: 'BD',
  886: 'TW',
  961: 'LB',
  962: 'JO',
  965: 'KW',
  966: 'SA',
  968: 'OM',
  971: 'AE',
  972: 'IL',
  973: 'BH',
  974: 'QA',
  977: 'NP',
  994: 'AZ',
  995: 'GE',
  998: 'UZ',
};

/** Currencies of one country. The euro has many countries, and the dollar is a common default, so both are omitted. */
export const currencyCountries: Readonly<Record<string, string>> = {
  AED: 'AE',
  ARS: 'AR',
  AUD: 'AU',
  BDT: 'BD',
  BGN: 'BG',
  BRL: 'BR',
  CAD: 'CA',
  CHF: 'CH',
  CLP: 'CL',
  CNY: 'CN',
  COP: 'CO',
  CZK: 'CZ',
  DKK: 'DK',
  EGP: 'EG',
  GBP: 'GB',
  HKD: 'HK',
  HUF: 'HU',
  IDR: 'ID',
  ILS: 'IL',
  INR: 'IN',
  ISK: 'IS',
  JPY: 'JP',
  KES: 'KE',
  KRW: 'KR',
  KZT: 'KZ',
  LKR: 'LK',
  MAD: 'MA',
  MXN: 'MX',
  MYR: 'MY',
  NGN: 'NG',
  NOK: 'NO',
  NZD: 'NZ',
  PEN: 'PE',
  PHP: 'PH',
  PKR: 'PK',
  PLN: 'PL',
  QAR: 'QA',
  RON: 'RO',
  RSD: 'RS',
  RUB: 'RU',
  SAR: 'SA',
  SEK: 'SE',
  SGD: 'SG',
  THB: 'TH',
  TRY: 'TR',
  TWD: 'TW',
  UAH: 'UA',
  UYU: 'UY',
  VND: 'VN',
  ZAR: 'ZA',
};

/** Languages that are spoken mostly in one country. */
export const languageCountries: Readonly<Record<string, string>> = {
  bg: 'BG',
  cs: 'CZ',
  da: 'DK',
  de: 'DE',
  el: 'GR',
  et: 'EE',
  fi: 'FI',
  fr: 'FR',
  he: 'IL',
  hr: 'HR',
  hu: 'HU',
  id: 'ID',
  is: 'IS',
  it: 'IT',
  ja: 'JP',
  ka: 'GE',
  ko: 'KR',
  lt: 'LT',
  lv: 'LV',
  mk: 'MK',
  nb: 'NO',
  nl: 'NL',
  nn: 'NO',
  no: 'NO',
  pl: 'PL',
  ro: 'RO',
  ru: 'RU',
  sk: 'SK',
  sl: 'SI',
  sq: 'AL',
  sr: 'RS',
  sv: 'SE',
  th: 'TH',
  tr: 'TR',
  uk: 'UA',
  vi: 'VN',
};

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

// Unions, codes without a state, and unknown countries.
const notCountries = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'XK',
  'ZZ',
]);

/** Whether `code` is a current country code. East Germany has none any more, and the United Kingdom is GB. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || notCountries.has(code) || regionNames.of(code) === undefined) return false;
  return new Intl.Locale(`und-${code}`).region === code;
}

const spoken = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv'];

function namesToCodes(): Map<string, string> {
  const names = new Map<string, string>();
  for (const language of spoken) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (let first = 65; first <= 90; first++) {
      for (let second = 65; second <= 90; second++) {
        const code = String.fromCharCode(first, second);
        const name = isCountry(code) ? display.of(code) : undefined;
        if (name && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), code);
      }
    }
  }
  for (const [name, code] of [
    ['usa', 'US'],
    ['u.s.a.', 'US'],
    ['us', 'US'],
    ['united states of america', 'US'],
    ['uk', 'GB'],
    ['england', 'GB'],
    ['scotland', 'GB'],
    ['wales', 'GB'],
    ['great britain', 'GB'],
    ['holland', 'NL'],
    ['the netherlands', 'NL'],
    ['czech republic', 'CZ'],
    ['turkey', 'TR'],
  ] as const)
    names.set(name, code);
  for (const code of [...names.values()]) names.set(code.toLowerCase(), code);
  names.set('uk', 'GB');
  return names;
}

const byName = namesToCodes();

/** The code of a country that is written as a code or as a name in one of several languages. */
export function countryFromText(text: string | undefined): string | undefined {
  if (!text || text.length > 60) return undefined;
  return byName.get(text.trim().toLowerCase());
}
