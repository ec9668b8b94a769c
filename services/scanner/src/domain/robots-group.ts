/**
 * The rules of one robots.txt (RFC 9309) that apply to this robot. The groups of other robots are dropped line by line. Time and memory are
 * therefore linear in the size of the file, whatever the number of robots and rules in it.
 *
 * - Groups for this robot contain a rule -> their rules apply. Otherwise the rules of the groups for `*` apply.
 * - Bounds: {@link maxRules} rules, and {@link maxRuleLength} characters of a line. The rest is ignored.
 * - Characters that are not ASCII become percent-encoded UTF-8, as in the URLs that are matched. Half of a surrogate pair becomes U+FFFD.
 */

/** Further rules are ignored. */
const maxRules = 5_000;
const maxRuleLength = 512;

const ruleNames: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay']);

/** Returns the rules as lines `name: value`. */
export function rulesForRobot(text: string, product: string): string[] {
  const own: string[] = [];
  const general: string[] = [];
  const robot = robotOf(product);
  let isOwn = false;
  let isGeneral = false;
  let wasUserAgent = false;
  for (const { name, value } of fieldsOf(text)) {
    if (name === 'user-agent') {
      if (!wasUserAgent) [isOwn, isGeneral] = [false, false];
      const named = robotOf(value);
      if (named === robot) isOwn = true;
      else if (named === '*') isGeneral = true;
    } else if (ruleNames.has(name) && (isOwn || isGeneral)) {
      const rule = `${name}: ${encoded(value)}`;
      if (isOwn && own.length < maxRules) own.push(rule);
      if (isGeneral && general.length < maxRules) general.push(rule);
    }
    wasUserAgent = name === 'user-agent';
  }
  return own.length > 0 ? own : general;
}

/** Yields the fields of the file, with names in lower case. Comments and lines without a field are skipped. */
function* fieldsOf(text: string): Generator<{ name: string; value: string }> {
  for (const line of linesOf(text)) {
    const [field = ''] = line.slice(0, maxRuleLength).split('#', 1);
    const colon = field.indexOf(':');
    const name = field.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== '') yield { name, value: field.slice(colon + 1).trim() };
  }
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { index } of text.matchAll(/[\r\n]/g)) {
    if (index > start) yield text.slice(start, index);
    start = index + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** Returns the product token, for example `shopscopebot` for `ShopscopeBot/1.0`. */
const robotOf = (userAgent: string): string => (userAgent.split('/', 1)[0] ?? '').trim().toLowerCase();

/** Encodes a rule. Several asterisks match the same as one. Existing percent-encodings stay. */
const encoded = (value: string): string => encodeURI(value.toWellFormed().replace(/\*+/g, '*')).replaceAll('%25', '%');
