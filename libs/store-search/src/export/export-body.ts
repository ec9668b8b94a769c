import { z } from 'zod';
import { maxUnits } from '../language/bodies.ts';
import { maxExportRows } from '../language/bounds.ts';
import { sorts } from '../language/values.ts';
import { where } from '../language/where.ts';
import { exportPaths, exportPresets } from './columns.ts';

/** `ndjson`: one row of a search per line. `csv`: RFC 4180. */
export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The body of `POST /v1/stores/export`. */
export const exportBody = z.strictObject({
  where: where.default({}),
  sort: z.enum(sorts).default('domain').describe('Stores with equal values are ordered by storefront_id'),
  format: z
    .enum(exportFormats)
    .default('ndjson')
    .describe('`ndjson`: one row of a search per line. `csv`: RFC 4180, UTF-8, with a header in part 1'),
  columns: z
    .union([z.enum(exportPresets), z.array(z.enum(exportPaths)).min(1).max(exportPaths.length)])
    .optional()
    .describe(
      'Only with csv: paths of a row, or a preset. `hubspot` and `salesforce`: the columns that the vendor imports as companies or accounts. Default: `default`',
    ),
  max_rows: z
    .int()
    .min(1)
    .max(maxExportRows)
    .default(maxExportRows)
    .describe('The most rows of the export. If more stores match, the response is 400'),
  max_units: maxUnits.optional(),
});
