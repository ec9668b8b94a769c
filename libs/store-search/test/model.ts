import type { BodyTechnology, StoreFacts } from '../src/document/facts.ts';
import { technologies } from './vocabulary.ts';

/**
 * The plain model: whether a store matches a request, written from the sentences of the language and not from the documents or the engine's
 * queries. It reads the request as it was sent. Days are compared as texts YYYY-MM-DD.
 */
export interface SentWhere {
  platform?: Values;
  country?: Values;
  industry?: Values;
  status?: Values;
  technologies?: Clause[];
  dropped?: Clause[];
  moved?: { from_platform?: string[]; to_platform?: string[]; effective?: Days };
  products?: { min?: number; max?: number };
  last_completed_scan?: Days;
  list?: Values;
}

interface Values {
  any?: string[];
  none?: string[];
}

interface Days {
  from?: string;
  to?: string;
}

type Selection = string[] | { category?: string | string[]; kind?: string | string[] };

interface Clause {
  all?: string[];
  any?: Selection;
  none?: Selection;
  install_state?: string[];
  confidence_min?: string;
  first_observed?: Days;
  since_known?: boolean;
  effective?: Days;
}

export interface ModelContext {
  /** The plan shows changes from this day on. */
  windowFrom: string;
  lists: ReadonlyMap<string, readonly string[]>;
}

export function matches(facts: StoreFacts, where: SentWhere, context: ModelContext): boolean {
  return fitsAllButScope(facts, where, context) && (isFull(facts) || !hasNone(where));
}

/** All else fits, but absence is not known of the store. */
export const isNotJudged = (facts: StoreFacts, where: SentWhere, context: ModelContext): boolean =>
  hasNone(where) && !isFull(facts) && fitsAllButScope(facts, where, context);

const isFull = ({ body }: StoreFacts) => body.observation.scope === 'full';
const hasNone = ({ technologies: clauses = [] }: SentWhere) => clauses.some(({ none }) => none !== undefined);

function fitsAllButScope(facts: StoreFacts, where: SentWhere, { windowFrom, lists }: ModelContext): boolean {
  const { body } = facts;
  const { platform, country, industry, status = { any: ['active_storefront'] } } = where;
  const isIn = (id: string) => lists.get(id)?.includes(facts.domain) ?? false;
  const isPresent = (slug: string) => body.technologies.some((each) => each.slug === slug);
  const gone = facts.removed
    .filter(({ slug }) => !isPresent(slug))
    .map((signal) => ({ slug: signal.slug, day: dayOf(signal.effectiveAtMs) }))
    .filter(({ day }) => day >= windowFrom);
  return [
    valueFits(platform, body.platform.slug),
    valueFits(country, body.geography.country),
    valueFits(industry, body.industry.slug),
    valueFits(status, body.status.state),
    ...(where.technologies ?? []).map((clause) =>
      clauseFits(clause, body.technologies, (each) => entryFits(each, clause, facts.firstScanAtMs)),
    ),
    ...(where.dropped ?? []).map((clause) => clauseFits(clause, gone, ({ day }) => isWithin(day, clause.effective))),
    where.moved === undefined || facts.moved.some((each) => moveFits(each, where.moved ?? {}, windowFrom)),
    productsFit(body.catalog, where.products),
    isWithin(body.observation.last_completed_scan_at.slice(0, 10), where.last_completed_scan),
    where.list?.any === undefined || where.list.any.some(isIn),
    !(where.list?.none ?? []).some(isIn),
  ].every((fits) => fits);
}

function valueFits(values: Values | undefined, value: string): boolean {
  if (values?.any && !values.any.includes(value)) return false;
  return !values?.none?.includes(value);
}

function clauseFits<Entry extends { slug: string }>(
  { all, any, none }: Clause,
  entries: readonly Entry[],
  fits: (entry: Entry) => boolean,
): boolean {
  const has = (selection: Selection) => entries.some((each) => isSelected(each.slug, selection) && fits(each));
  if (all) return all.every((slug) => has([slug]));
  if (any) return has(any);
  return none !== undefined && !has(none);
}

function isSelected(slug: string, selection: Selection): boolean {
  if (Array.isArray(selection)) return selection.includes(slug);
  const known = technologies.find((each) => each.slug === slug);
  if (known === undefined) return false;
  if (selection.category !== undefined) return [selection.category].flat().includes(known.category);
  return [selection.kind].flat().includes(known.kind);
}

/** The conditions hold for one and the same entry. */
function entryFits(entry: BodyTechnology, clause: Clause, firstScanAtMs: number): boolean {
  if (clause.install_state && !clause.install_state.includes(entry.install_state)) return false;
  if (clause.confidence_min && rank(entry.confidence) < rank(clause.confidence_min)) return false;
  if (!clause.first_observed) return true;
  const wasThereAtFirstScan = entry.first_observed_at === new Date(firstScanAtMs).toISOString();
  if (wasThereAtFirstScan && clause.since_known !== false) return false;
  return isWithin(entry.first_observed_at.slice(0, 10), clause.first_observed);
}

const rank = (confidence: string) => ['low', 'medium', 'high'].indexOf(confidence);

function moveFits(
  { from, to, effectiveAtMs }: StoreFacts['moved'][number],
  { from_platform: left, to_platform: right, effective }: NonNullable<SentWhere['moved']>,
  windowFrom: string,
): boolean {
  const day = dayOf(effectiveAtMs);
  return (
    (!left || left.includes(from)) && (!right || right.includes(to)) && day >= windowFrom && isWithin(day, effective)
  );
}

function productsFit(
  { product_count: count, coverage }: StoreFacts['body']['catalog'],
  products: SentWhere['products'],
): boolean {
  if (!products) return true;
  if (coverage === 'none') return false;
  return count >= (products.min ?? count) && count <= (products.max ?? count);
}

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const isWithin = (day: string, days: Days | undefined) =>
  day >= (days?.from ?? day).slice(0, 10) && day <= (days?.to ?? day).slice(0, 10);

/** Returns the stores in the order of a request. */
export function inOrder(stores: readonly StoreFacts[], sort: string): StoreFacts[] {
  const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const valueFor: Record<string, (facts: StoreFacts) => number> = {
    domain: () => 0,
    '-last_completed_scan_at': ({ body }) => Date.parse(body.observation.last_completed_scan_at),
    '-product_count': ({ body: { catalog } }) => (catalog.coverage === 'none' ? -1 : catalog.product_count),
    '-last_changed_at': ({ lastChangedAtMs }) => lastChangedAtMs ?? 0,
  };
  const value = valueFor[sort] as (facts: StoreFacts) => number;
  const tie: 'domain' | 'storefrontId' = sort === 'domain' ? 'domain' : 'storefrontId';
  return stores.toSorted((a, b) => value(b) - value(a) || byText(a[tie], b[tie]));
}
