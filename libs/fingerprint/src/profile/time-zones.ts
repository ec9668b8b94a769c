import data from '../data/time-zones.rules.json' with { type: 'json' };

const countryOfZone = new Map(
  Object.entries(data.zones).flatMap(([country, names]) => names.map((name) => [name, country] as const)),
);

/** Time zones that platforms set if the merchant chooses none. */
const common = new Set(data.common);

const quotedZone =
  /["']((?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)\\{0,2}\/[A-Za-z_]{3,20}(?:\\{0,2}\/[A-Za-z_]{3,20})?)["']/g;
const key = /(?:time_?zone(?:_?string|_?name|_?id)?|string)["']?\s{0,4}:\s{0,4}$/i;
const keyChars = 40;
const maxZones = 20;

/** Returns the country of the time zone in the page's settings. Undefined if they have several zones. */
export function zoneCountry(inline: string): { country: string; isCommon: boolean } | undefined {
  const names = new Set<string>();
  for (const { 1: name = '', index } of inline.matchAll(quotedZone).take(maxZones))
    if (key.test(inline.slice(Math.max(0, index - keyChars), index))) names.add(name.replace(/\\/g, ''));
  const [name = '', other] = names;
  const country = countryOfZone.get(name);
  return country && other === undefined ? { country, isCommon: common.has(name) } : undefined;
}
