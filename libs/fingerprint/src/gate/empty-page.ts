import { words } from '../words.ts';
import { type GatedPage, isInMarkup } from './gated-page.ts';

/**
 * Whether a page shows nothing: almost no text, no pictures, no data, and no application that renders contents.
 *
 * - An empty shell of an application is a page, if it has an element to draw in and scripts of its own.
 * - A page without text whose parts show a technology is a page, because scripts may fill it.
 */
const minLetters = 12;
/** A page with a title needs fewer letters. */
const minLettersWithTitle = 6;
/** Texts that a page shows until its contents arrive. */
const waits =
  /^(?:(?:page |site )?(?:is )?loading(?: (?:page|site|shop|store))?|please wait|one moment(?: please)?|just a moment|redirecting|wird geladen|l[äa]dt|bitte warten|chargement(?: en cours)?|cargando|carregando|caricamento|laden|ładowanie|načítá(?:ní|m)|загрузка|読み込み中|加载中|로딩 ?중)\s?[.…!]{0,5}$/iu;
/** Names of pictures that a page shows until its contents arrive. */
const spinner = /spin|load(?:ing|er)|preload|pixel|blank\.gif|1x1/i;
const roots = words(`
  root app __next __nuxt ___gatsby q-app svelte main main-app app-root react-root vue-app ember-root shop store
  storefront wrapper container page
`);

export function isEmpty({ page, seen, sight, words }: GatedPage): boolean {
  const { document, jsonLd } = page;
  if (sight.links > 0 || sight.sells || jsonLd.length > 0) return false;
  if (page.images.some((url) => !spinner.test(url))) return false;
  if (['input', 'video', 'canvas', 'object', 'embed', 'audio'].some((name) => document.byTag(name).length > 0))
    return false;
  if (document.byTag('svg').some(({ attribs }) => !spinner.test(`${attribs.class} ${attribs.id}`))) return false;
  const { title, start } = words();
  const isSpinner = seen.visible.lines.every((line) => waits.test(line));
  const letters = isSpinner ? 0 : start.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
  if (letters >= (title === '' ? minLetters : minLettersWithTitle)) return false;
  if ([...seen.found.values()].some(isInMarkup)) return false;
  return !isShellOfApplication(document);
}

/** Whether scripts of the page draw its contents in an element for them. */
export function isShellOfApplication(document: GatedPage['page']['document']): boolean {
  const hasScript = document.byTag('script').some(({ attribs }) => attribs.src !== undefined);
  const hasRoot =
    roots.some((id) => document.byId(id).length > 0) ||
    document.elements.some(({ name }) => name.includes('-') && !name.startsWith('font-'));
  return hasScript && hasRoot;
}
