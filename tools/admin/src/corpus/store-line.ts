import { parseInstant } from '@shopscope/clock';
import { z } from '@shopscope/config';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { deriveId } from '@shopscope/ids';
import {
  confidences,
  coverages,
  geographyBases,
  industryBases,
  ObservationCompleted,
  ObservationOutcome,
  observationScopes,
  storeStates,
} from '@shopscope/proto';

/**
 * One line of a corpus file: a store with its observations. The names are those of the API where the API has them. An import
 * merges the observations as if scanners had made them, so the profile, its signals and its dates come out of them.
 *
 * - Absent members -> the defaults below. Unknown members -> refused, because they are probably misspelt.
 * - Export writes every member, in the order below. So an exported file that is imported and exported again is the same.
 */
const confidence = z.enum(confidences);
const instant = z.string().transform((text, context) => {
  const ms = parseInstant(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be an ISO 8601 instant such as 2027-03-01T12:00:00Z');
  return z.NEVER;
});
const wholeNumber = z
  .int()
  .min(0)
  .max(2 ** 32 - 1);
const price = z.number().min(0);

const scan = {
  /** Default: derived from domain and sequence, so a repeated import merges the observation once. */
  scan_id: z.string().min(1).max(100).optional(),
  /** The number of the visit of this domain. */
  sequence: z.int().min(1),
  /** Default: completed_at. */
  started_at: instant.optional(),
  completed_at: instant,
};

const technology = z.strictObject({
  slug: z.string().min(1),
  /** Names, kinds and categories of the vocabulary win; only `custom-theme` keeps its name. */
  name: z.string().default(''),
  kind: z.string().default(''),
  category: z.string().default(''),
  confidence: confidence.default('high'),
  install_state: z.enum(['configured', 'active']).default('active'),
  sources: z.array(z.string()).default([]),
});

const observed = z.strictObject({
  ...scan,
  outcome: z.literal('observed'),
  scope: z.enum(observationScopes).default('full'),
  coverage_note: z.string().default(''),
  /** Default: the domain. */
  storefront_host: z.string().optional(),
  status: z.enum(storeStates),
  name: z.string().default(''),
  platform: z
    .strictObject({ slug: z.string().min(1), name: z.string().default(''), confidence: confidence.default('high') })
    .nullable()
    .default(null),
  technologies: z.array(technology).default([]),
  geography: z
    .strictObject({
      country: z.string().regex(/^[A-Z]{2}$/, 'must be a country of two capital letters'),
      basis: z.enum(geographyBases),
    })
    .nullable()
    .default(null),
  industry: z
    .strictObject({ slug: z.string().min(1), basis: z.enum(industryBases) })
    .nullable()
    .default(null),
  catalog: z
    .strictObject({
      coverage: z.enum(coverages),
      product_count: wholeNumber,
      available_count: wholeNumber.nullable().default(null),
      currency: z.string(),
      price_range: z.strictObject({ median: price, p25: price, p75: price }),
    })
    .nullable()
    .default(null),
  sources_read: z.array(z.string()).default([]),
  further_platforms: z.array(z.string()).default([]),
});

const unobserved = z.strictObject({
  ...scan,
  /** The site did not answer, refused the visit, or answered with something else than its own page. */
  outcome: z.enum(['unreachable', 'refused', 'not_the_store']),
  reason: z.string().max(100).default(''),
});

const observation = z.discriminatedUnion('outcome', [observed, unobserved]);

const storeLine = z.strictObject({
  domain: z.string(),
  /** By ascending sequence; at least one has the outcome `observed`. */
  observations: z.array(observation).min(1),
});

type ObservedLine = z.input<typeof observed>;

/** A store of a corpus file, with its observations as events, by ascending sequence. */
export interface Store {
  domain: string;
  observations: ObservationCompleted[];
}

/** Names the field and its problem. */
export class InvalidLineError extends Error {}

/** An event above this size fits into no record of Kafka, and no scan has made it. */
const maxEventBytes = 900_000;

/** Throws an {@link InvalidLineError}. */
export function parseStoreLine(text: string): Store {
  const { domain, observations } = checked(text);
  const canonical = canonicalizeDomain(domain);
  if (!canonical.ok || canonical.value.domain !== domain) {
    const hint = canonical.ok ? `, here ${canonical.value.domain}` : '';
    throw new InvalidLineError(`domain: must be a registrable domain in lower case${hint}`);
  }
  let before = 0;
  const ids = new Set<string>();
  const events = observations.map((each, at) => {
    const event = eventOf(domain, each);
    const refuse = (problem: string) => new InvalidLineError(`observations[${at}].${problem}`);
    if (event.sequence <= before) throw refuse('sequence: must be higher than that of the observation before');
    if (ids.has(event.scanId)) throw refuse('scan_id: is that of another observation of the store');
    if (!(event.completedAtMs > 0)) throw refuse('completed_at: must be after 1970');
    before = event.sequence;
    ids.add(event.scanId);
    // The text has at least the bytes of the event, apart from names of members. Most lines are far below the bound.
    if (text.length > maxEventBytes / 2 && ObservationCompleted.encode(event).finish().length > maxEventBytes) {
      throw refuse(`outcome: the observation is larger than ${maxEventBytes} bytes`);
    }
    return event;
  });
  if (!observations.some(({ outcome }) => outcome === 'observed')) {
    throw new InvalidLineError(
      'observations: at least one must have the outcome observed, otherwise there is no store',
    );
  }
  return { domain, observations: events };
}

function checked(text: string): z.output<typeof storeLine> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidLineError(`is not JSON (${(error as Error).message.slice(0, 100)})`);
  }
  const parsed = storeLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? [])
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${String(part)}`))
    .join('');
  throw new InvalidLineError(`${path === '' ? '' : `${path}: `}${issue?.message.slice(0, 300)}`);
}

const outcomes = {
  observed: ObservationOutcome.OBSERVED,
  unreachable: ObservationOutcome.UNREACHABLE,
  refused: ObservationOutcome.REFUSED,
  not_the_store: ObservationOutcome.NOT_THE_STORE,
} as const;
const unobservedOutcomes = new Map<ObservationOutcome, z.output<typeof unobserved>['outcome']>([
  [ObservationOutcome.REFUSED, 'refused'],
  [ObservationOutcome.NOT_THE_STORE, 'not_the_store'],
]);

function eventOf(domain: string, line: z.output<typeof observation>): ObservationCompleted {
  const facts = {
    scanId: line.scan_id ?? deriveId('scan', domain, String(line.sequence)),
    domain,
    sequence: line.sequence,
    startedAtMs: line.started_at ?? line.completed_at,
    completedAtMs: line.completed_at,
    outcome: outcomes[line.outcome],
  };
  if (line.outcome !== 'observed') {
    const statusState = line.outcome === 'unreachable' ? 'unreachable' : '';
    const reason = line.reason;
    return ObservationCompleted.fromPartial({
      ...facts,
      reason,
      scope: 'partial',
      storefrontHost: domain,
      statusState,
    });
  }
  const { catalog } = line;
  return {
    ...facts,
    reason: '',
    scope: line.scope,
    coverageNote: line.coverage_note,
    storefrontHost: line.storefront_host ?? domain,
    statusState: line.status,
    name: line.name,
    platform: line.platform ?? undefined,
    technologies: line.technologies.map(({ install_state, ...rest }) => ({ ...rest, installState: install_state })),
    geography: line.geography ?? undefined,
    industry: line.industry ?? undefined,
    catalog: catalog
      ? {
          coverage: catalog.coverage,
          productCount: catalog.product_count,
          availableCount: catalog.available_count ?? undefined,
          currency: catalog.currency,
          priceMedian: catalog.price_range.median,
          priceP25: catalog.price_range.p25,
          priceP75: catalog.price_range.p75,
        }
      : undefined,
    sourcesRead: line.sources_read,
    furtherPlatforms: line.further_platforms,
  };
}

/** The line of a store, without its end. `observations` by ascending sequence. */
export function storeLineOf({ domain, observations }: Store): string {
  return JSON.stringify({ domain, observations: observations.map(lineOf) });
}

function lineOf(event: ObservationCompleted): z.input<typeof observation> {
  const facts = {
    scan_id: event.scanId,
    sequence: event.sequence,
    started_at: new Date(event.startedAtMs).toISOString(),
    completed_at: new Date(event.completedAtMs).toISOString(),
  };
  if (event.outcome !== ObservationOutcome.OBSERVED) {
    return { ...facts, outcome: unobservedOutcomes.get(event.outcome) ?? 'unreachable', reason: event.reason };
  }
  return { ...facts, ...observedLineOf(event) };
}

/** A value that profiles counts as not observed is written as not observed, so that the line can be imported. */
function observedLineOf(event: ObservationCompleted): Omit<ObservedLine, keyof typeof scan> {
  const { platform, geography, industry, catalog } = event;
  return {
    outcome: 'observed',
    scope: event.scope as ObservedLine['scope'],
    coverage_note: event.coverageNote,
    storefront_host: event.storefrontHost,
    status: event.statusState as ObservedLine['status'],
    name: event.name,
    platform: platform?.slug
      ? { slug: platform.slug, name: platform.name, confidence: confidenceOf(platform.confidence) }
      : null,
    technologies: event.technologies
      .filter(({ slug }) => slug !== '')
      .map((seen) => ({
        slug: seen.slug,
        name: seen.name,
        kind: seen.kind,
        category: seen.category,
        confidence: confidenceOf(seen.confidence),
        install_state: seen.installState === 'active' ? 'active' : 'configured',
        sources: seen.sources,
      })),
    geography: validOrNull(observed.shape.geography, geography),
    industry: validOrNull(observed.shape.industry, industry),
    catalog: validOrNull(
      observed.shape.catalog,
      catalog && {
        coverage: catalog.coverage,
        product_count: catalog.productCount,
        available_count: catalog.availableCount ?? null,
        currency: catalog.currency,
        price_range: {
          median: priceOf(catalog.priceMedian),
          p25: priceOf(catalog.priceP25),
          p75: priceOf(catalog.priceP75),
        },
      },
    ),
    sources_read: event.sourcesRead,
    further_platforms: event.furtherPlatforms,
  };
}

const confidenceOf = (text: string) => confidence.safeParse(text).data ?? 'low';
const priceOf = (value: number) => (Number.isFinite(value) && value > 0 ? value : 0);

function validOrNull<Schema extends z.ZodType>(schema: Schema, value: unknown): z.input<Schema> | null {
  return (value === undefined ? null : (schema.safeParse(value).data ?? null)) as z.input<Schema> | null;
}
