import type { InventoryItem } from '../inventory/item.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { ScriptUrl } from '../page/script-urls.ts';
import type { Confidence, DnsKind, Source } from '../types.ts';
import { wordSet } from '../words.ts';
import { DomIndex } from './dom-index.ts';
import type { Channel, Pattern, Rule } from './rule.ts';
import { lineAt, type OnMatch, type RegexBudget, TextIndex } from './text-index.ts';
import { ValueIndex } from './value-index.ts';
import { wordPressVersions } from './wordpress-versions.ts';

/**
 * Matches all rules, compiled once, against one page.
 *
 * - Deterministic. The only state is the cache of regular expressions, which are compiled on first use.
 * - Bounds: a literal scan precedes every channel. All channels of a page share one budget of characters for regular expressions.
 */
const maxRegexChars = 3_000_000;
const maxPasses = 5;
const hintWeight = 40;

/** Several pieces of evidence of one family count once. Two families are independent evidence. */
type Family =
  | 'network'
  | 'inline'
  | 'markup'
  | 'meta'
  | 'header'
  | 'cookie'
  | 'address'
  | 'record'
  | 'implied'
  | 'unsourced';

/**
 * The family of each channel, and its rank as a source of versions. The generator ranks highest, then headers, then markup and inline code,
 * then the names of files.
 */
const channels: Record<Channel, { family: Family; rank: number }> = {
  meta: { family: 'meta', rank: 4 },
  header: { family: 'header', rank: 3 },
  html: { family: 'markup', rank: 2 },
  comment: { family: 'markup', rank: 2 },
  dom: { family: 'markup', rank: 2 },
  inline: { family: 'inline', rank: 2 },
  init: { family: 'inline', rank: 2 },
  js: { family: 'inline', rank: 2 },
  cookie: { family: 'cookie', rank: 2 },
  script: { family: 'network', rank: 1 },
  asset: { family: 'markup', rank: 1 },
  image: { family: 'markup', rank: 1 },
  anchor: { family: 'markup', rank: 1 },
  url: { family: 'address', rank: 1 },
  // Each item of an inventory has the family of the place where the page prints it.
  inventory: { family: 'markup', rank: 1 },
  dns: { family: 'record', rank: 0 },
  certificate: { family: 'record', rank: 0 },
};

export interface Detection {
  rule: Rule;
  weight: number;
  families: Set<Family>;
  active: boolean;
  /** Empty if the version is not stated, or if it is stated in two ways. */
  version: string;
  /** The rank of the channel that states the version; see {@link channels}. */
  versionRank: number;
  sources: Set<Source>;
  /** Whether only empty elements of the markup show it. */
  isPlaceholder?: boolean;
  /** Whether the page itself names it: as its generator or platform, or in a header. */
  stated: boolean;
  /** The greatest weight of each address that showed it, as several patterns may match one address. Kept for bound technologies only. */
  addresses: Map<string, number>;
}

const newDetection = (rule: Rule): Detection => ({
  rule,
  weight: 0,
  families: new Set(),
  active: false,
  version: '',
  versionRank: 0,
  sources: new Set(),
  stated: false,
  addresses: new Map(),
});

function stateVersion(detection: Detection, version: string, rank: number): void {
  if (version === '' || rank < detection.versionRank) return;
  const known = rank === detection.versionRank ? detection.version : '';
  detection.versionRank = rank;
  if (known === '' || version.startsWith(known)) detection.version = version;
  // Two sources of the same rank disagree, for example on two copies of a library.
  else if (!known.startsWith(version)) detection.version = '';
}

/**
 * Returns `high` for two independent families of sourced evidence, and `medium` for one. Returns `low` for weak traces only, and for a
 * technology that is only implied by another one.
 */
export function confidenceOf({ weight, families }: Detection): Confidence {
  if (weight < 50) return 'low';
  return [...families].filter((family) => family !== 'implied' && family !== 'unsourced').length >= 2
    ? 'high'
    : 'medium';
}

/** Patterns of WordPress plugins contain the name of their folder: `/wp-content/plugins/contact-form-7/.+\.js`. */
function pluginFoldersOf(patterns: readonly Named[]): Map<string, Set<string>> {
  const slugs = new Map<string, Set<string>>();
  for (const { slug, pattern } of patterns) {
    const folder = /[/)]plugins\/([a-z0-9_-]{2,80})(?:\/|\(\?:-)/.exec(`${pattern.key} ${pattern.regex}`)?.[1];
    if (folder) slugs.set(folder, (slugs.get(folder) ?? new Set()).add(slug));
  }
  return slugs;
}

/** Categories of apps for which Shopify themes prepare empty elements. */
const appCategories = wordSet(`
  shopify-apps reviews loyalty-and-rewards referral-marketing marketing-automation email personalisation live-chat
  cart-abandonment buy-now-pay-later search-engines surveys widgets fulfilment returns translation
`);

/** Whether the product has files of its own. Without them, an element is its only trace. */
const hasOwnFiles = ({ patterns }: Rule): boolean =>
  patterns.some(({ channel }) => channel === 'script' || channel === 'inventory');

/**
 * Categories of software that a site runs itself, at paths that all its users have. Such a path on another host shows the software of that
 * other site.
 */
const boundCategories = wordSet(`
  cms wordpress-plugins wordpress-themes magento-extensions magento-themes prestashop-modules prestashop-themes
  opencart-extensions opencart-themes shopware-plugins
`);

const isBound = ({ kind, category }: Rule): boolean => kind === 'platform' || boundCategories.has(category);

/** Whether a match may be part of an address. */
const mayBeAddressed = ({ channel, regex }: Pattern): boolean =>
  channel === 'inline' || channel === 'init' ? regex.includes('/') : channel !== 'js';

interface Named {
  slug: string;
  pattern: Pattern;
  isBound: boolean;
}

/** Places where a page names its software. Their content decides. A header or tag whose name alone is a trace states nothing. */
const statements: ReadonlySet<string> = new Set([
  'meta generator',
  'meta platform',
  'header powered-by',
  'header x-generator',
  'header x-powered-by',
  'header x-powered-cms',
]);

const isStatement = ({ channel, key, regex }: Pattern): boolean =>
  regex !== '' && statements.has(`${channel} ${key.toLowerCase()}`);

/** The source in which a match of the pattern shows its technology. */
function sourceOf({ channel, key }: Pattern): Source {
  if (channel === 'certificate') return 'certificate';
  return channel === 'dns' ? `dns.${key as DnsKind}` : 'home';
}

/** Whether a record states the service behind the store's host. Every other record may stay after its service is no longer used. */
const servesHost = ({ channel, key }: Pattern): boolean => channel === 'certificate' || key === 'cname';

function searchEach(
  index: ValueIndex | undefined,
  values: readonly string[],
  budget: RegexBudget,
  onMatch: OnMatch,
): void {
  if (index) for (const value of values) index.search(value, budget, onMatch);
}

type OnAddress = (pattern: Pattern, slug: string, version: string, at: { address: string }) => void;

const withoutScheme = (url: string): string => url.replace(/^https?:/i, '');

export class Engine {
  private readonly rules: Map<string, Rule>;
  private readonly texts: Record<'script' | 'asset' | 'image' | 'anchor' | 'inline' | 'html' | 'comment', TextIndex>;
  private readonly dom: DomIndex;
  private readonly named: Record<'meta' | 'header' | 'cookie' | 'record', Map<string, ValueIndex>>;
  private readonly cookiePrefixes: { prefix: string; values: ValueIndex }[];
  private readonly addresses: ValueIndex;
  private readonly handles: Map<string, Named[]>;
  /** Slugs by the folder of their WordPress plugin. */
  private readonly pluginFolders: Map<string, Set<string>>;
  /** Slugs of technologies whose paths count only on the page's own hosts. */
  private readonly bound: ReadonlySet<string>;

  constructor(rules: readonly Rule[]) {
    this.rules = new Map(rules.map((rule) => [rule.slug, rule]));
    this.bound = new Set(rules.filter(isBound).map(({ slug }) => slug));
    const of = (...channels: Channel[]): Named[] =>
      rules.flatMap((rule) =>
        rule.patterns
          .filter(({ channel }) => channels.includes(channel))
          .map((pattern) => ({ slug: rule.slug, pattern, isBound: isBound(rule) && mayBeAddressed(pattern) })),
      );
    this.dom = new DomIndex(of('dom'));
    this.texts = {
      script: new TextIndex(of('script'), { lines: true }),
      asset: new TextIndex(of('asset'), { lines: true }),
      image: new TextIndex(of('image'), { lines: true }),
      anchor: new TextIndex(of('anchor'), { lines: true }),
      inline: new TextIndex(of('inline', 'init', 'js'), { lines: false }),
      comment: new TextIndex(of('comment'), { lines: false }),
      html: new TextIndex(of('html'), { lines: false, words: this.dom.words }),
    };
    const isPrefix = ({ pattern }: Named) => /[*-]$|_$/.test(pattern.key);
    const byKey = (patterns: Named[]) =>
      new Map(
        [...Map.groupBy(patterns, ({ pattern }) => pattern.key)].map(([key, group]) => [key, new ValueIndex(group)]),
      );
    this.named = {
      meta: byKey(of('meta')),
      header: byKey(of('header')),
      cookie: byKey(of('cookie').filter((one) => !isPrefix(one))),
      record: byKey(of('dns', 'certificate')),
    };
    this.cookiePrefixes = [...byKey(of('cookie').filter(isPrefix))].map(([key, values]) => ({
      prefix: key.replace(/\*$/, ''),
      values,
    }));
    this.addresses = new ValueIndex(of('url'));
    this.handles = Map.groupBy(of('inventory'), ({ pattern }) => pattern.key);
    this.pluginFolders = pluginFoldersOf(of('script', 'asset', 'dom'));
  }

  /** Returns every detected technology by slug, after requirements, exclusions and implications have been applied. */
  detect(evidence: PageEvidence, inventory: readonly InventoryItem[]): Map<string, Detection> {
    const found = new Map<string, Detection>();
    const budget: RegexBudget = { chars: maxRegexChars };
    this.searchTexts(evidence, budget, found);
    this.searchNamed(evidence, budget, found);
    this.lookUp(inventory, found);
    this.dropPlaceholders(found);
    this.readWordPressVersions(evidence, found);
    for (const [kind, values] of evidence.records)
      searchEach(this.named.record.get(kind), values, budget, (pattern, slug) =>
        this.note(found, slug, pattern, '', servesHost(pattern)),
      );
    return this.settle(found);
  }

  /**
   * Shopify themes print empty elements for apps, even for apps that the shop has removed. An installed app has another trace: its script,
   * its block or its pixel.
   */
  private dropPlaceholders(found: Map<string, Detection>): void {
    if (!found.has('shopify')) return;
    for (const [slug, { isPlaceholder, rule }] of found)
      if (isPlaceholder && appCategories.has(rule.category) && hasOwnFiles(rule)) found.delete(slug);
  }

  private readWordPressVersions({ scripts, assets, isOwnUrl }: PageEvidence, found: Map<string, Detection>): void {
    const wordPress = found.get('wordpress');
    if (!wordPress) return;
    const loaded = scripts.filter(({ source }) => source !== 'hint').map(({ url }) => url);
    const urls = [...loaded, ...assets].filter(isOwnUrl);
    const { libraries, plugins } = wordPressVersions(urls, wordPress.version);
    const state = (slug: string, version: string): void => {
      const detection = found.get(slug);
      if (detection) stateVersion(detection, version, channels.script.rank);
    };
    for (const [slug, version] of libraries) state(slug, version);
    for (const [folder, version] of plugins) for (const slug of this.slugsOf(folder)) state(slug, version);
  }

  private slugsOf(pluginFolder: string): Set<string> {
    const listed = this.handles.get(`wordpress-plugin:${pluginFolder}`)?.map(({ slug }) => slug);
    return new Set([...(this.pluginFolders.get(pluginFolder) ?? []), ...(listed ?? [])]);
  }

  private note(
    found: Map<string, Detection>,
    slug: string,
    pattern: Pattern,
    version: string,
    active: boolean,
    {
      family = channels[pattern.channel].family,
      address = '',
      isPlaceholder = false,
    }: { family?: Family; address?: string; isPlaceholder?: boolean } = {},
  ): void {
    const rule = this.rules.get(slug);
    if (!rule) return;
    const detection = found.get(slug) ?? { ...newDetection(rule), isPlaceholder: true };
    detection.isPlaceholder &&= isPlaceholder;
    const counted = address === '' ? undefined : detection.addresses.get(address);
    detection.weight = Math.min(300, detection.weight + Math.max(0, pattern.weight - (counted ?? 0)));
    if (address !== '') detection.addresses.set(address, Math.max(pattern.weight, counted ?? 0));
    if (counted === undefined) detection.families.add(pattern.unsourced ? 'unsourced' : family);
    detection.sources.add(sourceOf(pattern));
    detection.active ||= active;
    detection.stated ||= isStatement(pattern);
    stateVersion(detection, version, channels[pattern.channel].rank);
    found.set(slug, detection);
  }

  private searchTexts(evidence: PageEvidence, budget: RegexBudget, found: Map<string, Detection>): void {
    const list = (values: readonly string[]) =>
      values.map((value) => (value.includes('\n') ? value.replaceAll('\n', '') : value)).join('\n');
    const urls = (...sources: ScriptUrl['source'][]) =>
      list(evidence.scripts.filter(({ source }) => sources.includes(source)).map(({ url }) => url));
    const context = { isOwnUrl: evidence.isOwnUrl };
    const search = (index: TextIndex, text: string, onMatch: OnAddress): void => {
      index.search(
        text,
        budget,
        (pattern, slug, { version, at = 0 }) => {
          const address = this.bound.has(slug) ? withoutScheme(lineAt(text, at).line) : '';
          onMatch(pattern, slug, version, { address });
        },
        context,
      );
    };
    const noting =
      (active: boolean): OnAddress =>
      (pattern, slug, version, at) =>
        this.note(found, slug, pattern, version, active, at);
    const { script, asset, image, anchor, inline, html, comment } = this.texts;
    const { document } = evidence;
    const ofElements = new Set<Pattern>();
    search(script, urls('element'), (pattern, slug, version, at) => {
      ofElements.add(pattern);
      this.note(found, slug, pattern, version, true, at);
    });
    // A loader often runs only if the page lacks the library. It therefore states no version.
    search(script, urls('loader'), (pattern, slug, _, at) => {
      if (!ofElements.has(pattern)) this.note(found, slug, pattern, '', true, at);
    });
    search(script, urls('gated'), noting(false));
    search(asset, list(evidence.assets), noting(true));
    search(image, list(evidence.images), noting(true));
    search(anchor, list(evidence.anchors), noting(true));
    const notingInline: OnMatch = (pattern, slug, { version, at = 0 }) =>
      this.note(found, slug, pattern, version, pattern.channel === 'init' && at < evidence.templatesFrom);
    inline.search(evidence.inline, budget, notingInline, { ...context, strings: evidence.inlineStrings });
    const notingText: OnMatch = (pattern, slug, { version }) => this.note(found, slug, pattern, version, true);
    comment.search(document.comments, budget, notingText);
    const words = html.search(document.markup, budget, notingText);
    const notingElement: OnMatch = (pattern, slug, { version, isSetting, isPlaceholder = false, address = '' }) =>
      this.note(found, slug, pattern, version, isSetting !== true, { address: withoutScheme(address), isPlaceholder });
    this.dom.search(words, document, budget, notingElement, evidence.isOwnUrl);
    search(script, urls('hint'), (pattern, slug, version) => {
      // A resource hint beside another trace adds no evidence. Alone it is weak, because themes announce files that they do not use.
      if (!found.has(slug)) this.note(found, slug, { ...pattern, weight: hintWeight }, version, false);
    });
  }

  private searchNamed(evidence: PageEvidence, budget: RegexBudget, found: Map<string, Detection>): void {
    const noting =
      (active: boolean): OnMatch =>
      (pattern, slug, { version }) =>
        this.note(found, slug, pattern, version, active);
    for (const [name, values] of evidence.metas)
      searchEach(this.named.meta.get(name), values, budget, noting(name === 'generator'));
    for (const [name, values] of evidence.headers)
      searchEach(this.named.header.get(name), values, budget, noting(true));
    for (const [name, value] of evidence.cookies) {
      this.named.cookie.get(name)?.search(value, budget, noting(true));
      for (const { prefix, values } of this.cookiePrefixes)
        if (name.startsWith(prefix)) values.search(value, budget, noting(true));
    }
    this.addresses.search(evidence.url?.href ?? '', budget, noting(false));
  }

  private lookUp(inventory: readonly InventoryItem[], found: Map<string, Detection>): void {
    for (const { handles, family, active, version } of inventory)
      for (const handle of handles) {
        const named = this.handles.get(handle);
        // Most handles name no technology.
        if (!named) continue;
        for (const { slug, pattern } of named) this.note(found, slug, pattern, version, active, { family });
      }
  }

  /** Removes technologies that lack a requirement or are excluded, and adds implied ones, until nothing changes. */
  private settle(found: Map<string, Detection>): Map<string, Detection> {
    for (let pass = 0; pass < maxPasses; pass++) {
      const before = found.size;
      this.imply(found);
      const categories = new Set([...found.values()].map(({ rule }) => rule.category));
      for (const [slug, { rule, families: kinds }] of found) {
        const lacks = rule.requires.length > 0 && !rule.requires.some((required) => found.has(required));
        const lacksCategory =
          rule.requiresCategory.length > 0 && !rule.requiresCategory.some((category) => categories.has(category));
        // A script of the vendor is evidence even if the platform of the store is unknown.
        if (lacks || (lacksCategory && !kinds.has('network') && !kinds.has('unsourced'))) found.delete(slug);
      }
      if (found.size === before) break;
    }
    for (const { rule, weight } of [...found.values()]) {
      for (const excluded of rule.excludes) if ((found.get(excluded)?.weight ?? 0) < weight) found.delete(excluded);
    }
    return found;
  }

  private imply(found: Map<string, Detection>): void {
    for (const { rule, active, weight, sources } of [...found.values()]) {
      if (weight < 50) continue;
      for (const slug of rule.implies) {
        const implied = this.rules.get(slug);
        if (implied && !found.has(slug)) {
          const families = new Set<Family>(['implied']);
          found.set(slug, { ...newDetection(implied), weight: 25, families, active, sources: new Set(sources) });
        }
      }
    }
  }
}
