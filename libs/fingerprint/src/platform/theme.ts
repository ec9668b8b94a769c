import { isObject, type Json, parsedJson } from '../json.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { cleanText } from '../profile/clean-text.ts';
import { customTheme, namedThemes } from '../rules/index.ts';
import { shopifyThemeIds } from '../rules/tables.ts';
import type { DetectedTechnology, VocabularyEntry } from '../types.ts';

/**
 * Finds the theme of a Shopify store. The sources in order are: its schema name, its number in the theme store, and the merchant's name for
 * it. Until 2024 only the settings of the speed measurement have the schema name: `window.BOOMR.themeName = "Prestige"`. An unknown theme
 * is `custom-theme` with the merchant's name.
 */
const maxNameChars = 80;

function assigned(inline: string): Json | undefined {
  const at = /Shopify\.theme\s{0,4}=\s{0,4}\{/.exec(inline);
  if (!at) return undefined;
  const from = at.index + at[0].length - 1;
  const end = inline.indexOf('}', from);
  if (end === -1 || end - from > 2000) return undefined;
  const value = parsedJson(inline.slice(from, end + 1));
  return isObject(value) ? value : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? cleanText(value, maxNameChars) : '');

const measured = (inline: string, key: string): string =>
  textOf(new RegExp(`\\bBOOMR\\.${key}\\s{0,4}=\\s{0,4}"([^"\\\\\\n]{1,60})"`).exec(inline)?.[1]);

/** Finds a theme by its name. A copy often keeps the name of the original: "Copy of Dawn", "Debut-2019". */
function knownByName(name: string): VocabularyEntry | undefined {
  const bare = name.replace(/^(?:(?:live|new|updated|backup|active)?\s?(?:copy of|backup of|theme)\s)+/i, '');
  const first = /^[A-Za-z ]{2,20}?(?=$|\s?[-–|/(]|\s\d|\sv\d|\stheme\b)/i.exec(bare)?.[0];
  return namedThemes.get((first ?? bare).trim().toLowerCase());
}

export function shopifyTheme({ inline }: PageEvidence): DetectedTechnology | undefined {
  const theme = assigned(inline);
  if (!theme) return undefined;
  const schemaName = textOf(theme.schema_name) || measured(inline, 'themeName');
  const merchantName = textOf(theme.name);
  const storeName = shopifyThemeIds.get(Number(theme.theme_store_id));
  const entry =
    namedThemes.get(schemaName.toLowerCase()) ??
    namedThemes.get(storeName?.toLowerCase() ?? '') ??
    (schemaName ? undefined : knownByName(merchantName));
  const name = entry?.name ?? (schemaName || merchantName);
  if (!name) return undefined;
  const version = (textOf(theme.schema_version) || measured(inline, 'themeVersion')).slice(0, 40);
  return {
    slug: entry?.slug ?? customTheme.slug,
    name,
    kind: 'theme',
    category: entry?.category ?? customTheme.category,
    confidence: entry && !schemaName && !storeName ? 'low' : 'medium',
    installState: 'active',
    sources: ['home'],
    ...(version && { version }),
  };
}
