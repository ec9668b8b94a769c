/** Time zones of the settings of shops (IANA Time Zone Database) by country. */
const zones: Readonly<Record<string, string>> = {
  AE: 'Asia/Dubai',
  AR: 'America/Argentina/Buenos_Aires America/Buenos_Aires',
  AT: 'Europe/Vienna',
  AU: 'Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Perth Australia/Adelaide Australia/Hobart Australia/Darwin',
  AZ: 'Asia/Baku',
  BA: 'Europe/Sarajevo',
  BD: 'Asia/Dhaka',
  BE: 'Europe/Brussels',
  BG: 'Europe/Sofia',
  BR: 'America/Sao_Paulo America/Bahia America/Fortaleza America/Recife',
  BY: 'Europe/Minsk',
  CA: 'America/Toronto America/Vancouver America/Edmonton America/Winnipeg America/Montreal America/Halifax America/Regina',
  CH: 'Europe/Zurich',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CO: 'America/Bogota',
  CR: 'America/Costa_Rica',
  CY: 'Asia/Nicosia',
  CZ: 'Europe/Prague',
  DE: 'Europe/Berlin',
  DK: 'Europe/Copenhagen',
  DO: 'America/Santo_Domingo',
  EC: 'America/Guayaquil',
  EE: 'Europe/Tallinn',
  EG: 'Africa/Cairo',
  ES: 'Europe/Madrid Atlantic/Canary',
  FI: 'Europe/Helsinki',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  GE: 'Asia/Tbilisi',
  GR: 'Europe/Athens',
  GT: 'America/Guatemala',
  HK: 'Asia/Hong_Kong',
  HR: 'Europe/Zagreb',
  HU: 'Europe/Budapest',
  ID: 'Asia/Jakarta',
  IE: 'Europe/Dublin',
  IL: 'Asia/Jerusalem',
  IN: 'Asia/Kolkata Asia/Calcutta',
  IR: 'Asia/Tehran',
  IS: 'Atlantic/Reykjavik',
  IT: 'Europe/Rome',
  JO: 'Asia/Amman',
  JP: 'Asia/Tokyo',
  KE: 'Africa/Nairobi',
  KR: 'Asia/Seoul',
  KW: 'Asia/Kuwait',
  KZ: 'Asia/Almaty',
  LB: 'Asia/Beirut',
  LK: 'Asia/Colombo',
  LT: 'Europe/Vilnius',
  LU: 'Europe/Luxembourg',
  LV: 'Europe/Riga',
  MA: 'Africa/Casablanca',
  MD: 'Europe/Chisinau',
  MK: 'Europe/Skopje',
  MT: 'Europe/Malta',
  MX: 'America/Mexico_City America/Monterrey America/Tijuana America/Cancun',
  MY: 'Asia/Kuala_Lumpur',
  NG: 'Africa/Lagos',
  NL: 'Europe/Amsterdam',
  NO: 'Europe/Oslo',
  NP: 'Asia/Kathmandu',
  NZ: 'Pacific/Auckland',
  PA: 'America/Panama',
  PE: 'America/Lima',
  PH: 'Asia/Manila',
  PK: 'Asia/Karachi',
  PL: 'Europe/Warsaw',
  PT: 'Europe/Lisbon',
  QA: 'Asia/Qatar',
  RO: 'Europe/Bucharest',
  RS: 'Europe/Belgrade',
  RU: 'Europe/Moscow Asia/Yekaterinburg Asia/Novosibirsk',
  SA: 'Asia/Riyadh',
  SE: 'Europe/Stockholm',
  SG: 'Asia/Singapore',
  SI: 'Europe/Ljubljana',
  SK: 'Europe/Bratislava',
  TH: 'Asia/Bangkok',
  TN: 'Africa/Tunis',
  TR: 'Europe/Istanbul',
  TW: 'Asia/Taipei',
  UA: 'Europe/Kiev Europe/Kyiv',
  US: 'America/Chicago America/Denver America/Phoenix America/Detroit America/Boise America/Anchorage Pacific/Honolulu America/New_York America/Los_Angeles',
  UY: 'America/Montevideo',
  VE: 'America/Caracas',
  VN: 'Asia/Ho_Chi_Minh',
  ZA: 'Africa/Johannesburg',
};

const countryOfZone = new Map(
  Object.entries(zones).flatMap(([country, names]) => names.split(' ').map((name) => [name, country] as const)),
);

/** Platforms set these zones when the merchant chooses none. */
const common = new Set(['America/New_York', 'America/Los_Angeles', 'Europe/London', 'Europe/Paris', 'Asia/Shanghai']);

const quotedZone =
  /["']((?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)\\{0,2}\/[A-Za-z_]{3,20}(?:\\{0,2}\/[A-Za-z_]{3,20})?)["']/g;
const key = /(?:time_?zone(?:_?string|_?name|_?id)?|string)["']?\s{0,4}:\s{0,4}$/i;
const keyChars = 40;
const maxZones = 20;

/** The country of the time zone that the settings of the page state. Several zones say nothing. */
export function zoneCountry(inline: string): { country: string; isCommon: boolean } | undefined {
  const names = new Set<string>();
  let seen = 0;
  for (const { 1: name = '', index } of inline.matchAll(quotedZone)) {
    if (++seen > maxZones) break;
    if (key.test(inline.slice(Math.max(0, index - keyChars), index))) names.add(name.replace(/\\/g, ''));
  }
  const [name = '', other] = names;
  const country = countryOfZone.get(name);
  return country && other === undefined ? { country, isCommon: common.has(name) } : undefined;
}
