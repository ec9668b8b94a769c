/**
 * The columns of a CSV export: paths of a row, or a preset. A list in a row becomes one cell, with one name for each of its entries.
 *
 * A preset has the labels by which the import of the vendor recognizes columns. The sources of each column are at `presets`. Neither preset
 * has a column for industry: both vendors have closed lists of industries, and refuse other values.
 */
export const exportPaths = [
  'domain',
  'storefront_id',
  'matched',
  'dropped',
  'changed_since_edition',
  'store.name',
  'store.storefront_host',
  'store.profile_url',
  'store.brand_group_id',
  'store.platform.slug',
  'store.platform.name',
  'store.platform.confidence',
  'store.platform.first_observed_at',
  'store.platform.last_confirmed_at',
  'store.geography.country',
  'store.geography.basis',
  'store.industry.slug',
  'store.industry.basis',
  'store.status.state',
  'store.status.as_of',
  'store.catalog.product_count',
  'store.catalog.available_count',
  'store.catalog.coverage',
  'store.catalog.currency',
  'store.catalog.price_range.p25',
  'store.catalog.price_range.median',
  'store.catalog.price_range.p75',
  'store.catalog.as_of',
  'store.technologies',
  'store.recent_signals',
  'store.observation.scope',
  'store.observation.coverage_note',
  'store.observation.last_completed_scan_at',
] as const;
export type ExportPath = (typeof exportPaths)[number];

/** The member of an entry that stands for it in a cell. */
const namingMembers: Readonly<Partial<Record<ExportPath, string>>> = {
  matched: 'technology',
  dropped: 'technology',
  'store.technologies': 'slug',
  'store.recent_signals': 'id',
};

export const exportPresets = ['default', 'hubspot', 'salesforce'] as const;
export type ExportPreset = (typeof exportPresets)[number];
export type ExportColumns = ExportPreset | readonly ExportPath[];

/** The value of a cell. Null is an empty cell. */
export type Cell = string | number | boolean | null;

/** A row of an answer, as parsed JSON. */
export type RowJson = Readonly<Record<string, unknown>>;

export interface ExportColumn {
  header: string;
  cellOf(row: RowJson): Cell;
}

const defaultPaths: readonly ExportPath[] = [
  'domain',
  'store.name',
  'store.platform.slug',
  'store.geography.country',
  'store.industry.slug',
  'store.status.state',
  'store.catalog.product_count',
  'matched',
  'dropped',
  'store.technologies',
  'store.observation.last_completed_scan_at',
  'store.profile_url',
  'storefront_id',
];

export function exportColumnsOf(columns: ExportColumns): ExportColumn[] {
  if (columns === 'default') return defaultPaths.map(columnOf);
  return typeof columns === 'string' ? presets[columns] : columns.map(columnOf);
}

const columnOf = (path: ExportPath): ExportColumn => ({ header: path, cellOf: (row) => cellAt(row, path) });

function cellAt(row: RowJson, path: ExportPath): Cell {
  let value: unknown = row;
  for (const name of path.split('.')) value = (value as RowJson | null | undefined)?.[name];
  if (!Array.isArray(value)) return (value as Cell | undefined) ?? null;
  const member = namingMembers[path] ?? '';
  return [...new Set(value.map((entry: RowJson) => String(entry[member])))].join('; ');
}

const textAt = (row: RowJson, path: ExportPath): string => String(cellAt(row, path) ?? '');

const unknownCountry = 'ZZ';
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

function countryName(row: RowJson): Cell {
  const country = textAt(row, 'store.geography.country');
  return country === '' || country === unknownCountry ? null : (countryNames.of(country) ?? country);
}

const website = (row: RowJson): Cell => `https://${textAt(row, 'store.storefront_host')}`;
const description = (row: RowJson): Cell => {
  const [platform, technologies] = [textAt(row, 'store.platform.name'), textAt(row, 'store.technologies')];
  return `Platform: ${platform}. Technologies: ${technologies === '' ? 'none' : technologies}.`;
};

/**
 * HubSpot matches the header of a column to the name of a property (https://knowledge.hubspot.com/crm-setup/set-up-your-import-file). The
 * names are those of https://knowledge.hubspot.com/properties/hubspot-crm-default-company-properties.
 *
 * - `Company name`: the same guide requires a name or a domain of companies.
 * - `Company domain name`: the primary identifier of a company, which avoids duplicates
 *   (https://developers.hubspot.com/docs/api-reference/latest/crm/objects/companies/guide).
 * - `Website URL`, `Country/Region`, `Description`: text. They are the labels of `website`, `country` and `description` in the properties
 *   that the API returns for an account (https://developers.hubspot.com/docs/api/crm/properties).
 *
 * Salesforce maps columns by the labels of
 * https://help.salesforce.com/s/articleView?id=xcloud.field_mapping_for_other_data_sources_and_organization_import.htm. The types are those of
 * https://developer.salesforce.com/docs/atlas.en-us.244.0.sfFieldRef.meta/sfFieldRef/salesforce_field_reference_Account.htm.
 *
 * - `Account Name`: required.
 * - `Account Site`: text of at most 80 characters. The recommended match of the import makes one account for each name and site
 *   (https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.for_accounts_and_contacts.htm). The domain as site keeps stores of one name
 *   apart. An existing account of that name without the domain as its site is not matched.
 * - `Website`: a URL.
 * - `Billing Country`: text of at most 80 characters. The name of the country, because a country picklist has names as labels.
 * - `Account Description`: at most 32,000 characters. 500 technologies, the most of a store, with the longest slugs have 22,000.
 */
const presets: Record<Exclude<ExportPreset, 'default'>, ExportColumn[]> = {
  hubspot: [
    { header: 'Company name', cellOf: (row) => cellAt(row, 'store.name') },
    { header: 'Company domain name', cellOf: (row) => cellAt(row, 'domain') },
    { header: 'Website URL', cellOf: website },
    { header: 'Country/Region', cellOf: countryName },
    { header: 'Description', cellOf: description },
  ],
  salesforce: [
    { header: 'Account Name', cellOf: (row) => cellAt(row, 'store.name') },
    { header: 'Account Site', cellOf: (row) => cellAt(row, 'domain') },
    { header: 'Website', cellOf: website },
    { header: 'Billing Country', cellOf: countryName },
    { header: 'Account Description', cellOf: description },
  ],
};
