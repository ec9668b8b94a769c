import { isBlank } from '../page/single-spaces.ts';
import { cleanText } from './clean-text.ts';

/** Prepares texts as parts of names: cleaned, cut, and in the forms that comparisons need. */
const maxNameChars = 120;

/** The Windows-1252 characters of the bytes 0x80 to 0x9f. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const doubleEncoded = new RegExp(`[Â-ô][\\u0080-\\u00bf${windows1252}]`);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Restores UTF-8 text that was read as Windows-1252 ("CafÃ©"). Other text stays unchanged. */
function undoDoubleEncoding(text: string): string {
  if (!doubleEncoded.test(text)) return text;
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    const high = windows1252.indexOf(character);
    if (high !== -1) bytes.push(0x80 + high);
    else if (code <= 0xff) bytes.push(code);
    else return text;
  }
  try {
    return utf8.decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}

export const clean = (text: string | undefined): string | undefined => {
  // If a letter could not be read, the rest is not the name.
  if (text?.includes('\ufffd')) return undefined;
  const name = cleanText(undoDoubleEncoding(text?.slice(0, 10 * maxNameChars) ?? ''), maxNameChars);
  return name && /[\p{L}\p{N}]/u.test(name) && !/^https?:\/\//i.test(name) ? name : undefined;
};

const isAscii = /^[ -~\s]*$/;

/** The kind of each character, by its code. 0: not known yet. Otherwise a letter or digit, a mark, or any other character. */
const kinds = new Uint8Array(65_536);
const letter = 1;
const mark = 2;

function kindOf(code: number): number {
  const character = String.fromCharCode(code);
  const kind = /[\p{L}\p{N}]/u.test(character) ? letter : /\p{M}/u.test(character) ? mark : 3;
  kinds[code] = kind;
  return kind;
}

export const isLetterOrDigit = (code: number): boolean => (kinds[code] || kindOf(code)) === letter;

/** Returns `text` without the characters for which `isKept` is false. `text` has no surrogates. */
function keep(text: string, isKept: (kind: number) => boolean): string {
  let kept = '';
  let from = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isKept(kinds[code] || kindOf(code))) {
      if (from === -1) from = at;
    } else if (from !== -1) {
      kept += text.slice(from, at);
      from = -1;
    }
  }
  return from === 0 ? text : from === -1 ? kept : kept + text.slice(from);
}

const isNoMark = (kind: number): boolean => kind !== mark;
const isLetter = (kind: number): boolean => kind === letter;

/** Keeps only letters and digits, for comparisons. */
export function plain(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  const decomposed = text.normalize('NFKD');
  if (!/[\ud800-\udfff]/.test(decomposed)) return keep(keep(decomposed, isNoMark).toLowerCase(), isLetter);
  return decomposed
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const transcriptions: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** Returns the forms of a name in a host: umlauts as two letters, and "&" as a word or left out. */
export function hostForms(text: string): string[] {
  const lower = text.normalize('NFC').toLowerCase();
  const forms = [lower];
  if (/[äöüßæøåłđı]/.test(lower)) {
    forms.push(lower.replace(/[äöüßæøåłđı]/g, (letter) => transcriptions[letter] ?? letter));
    forms.push(lower.replace(/ø/g, 'o'));
  }
  if (/[&+]/.test(lower)) forms.push(lower.replace(/[&+]/g, ' and '));
  return forms.map(plain);
}

// Names that platforms and themes use until a merchant changes them: "My store", "Mein Shop", "Mi sitio".
const possessives =
  'my|your|our|the|a|mein|meine|unser|ihr|dein|der|eine weitere|ein|mi|tu|nuestra|mon|ma|votre|notre|un|une|il mio|la mia|il tuo|o meu|meu|minha|sua|mijn|onze|min|mitt|din|vår|m[uů]j|moje|váš|moja|mój|twój|saját|a|magazinul meu|benim|moj|mans|mano|mu|minun|мой|моя|мій|моят|το|cửa hàng|toko';
const shopNouns =
  '(?:online[- ]?|web|e-?|internet(?:ový |owy |ni )?)?(?:store|shop|site|website|webseite|homepage|blog|company|brand|business|wordpress[- ](?:site|website|seite|blog)|tienda|sitio(?: web)?|boutique|site(?: web| internet| wordpress)?|loja|negozio|sito(?: web)?|winkel|webwinkel|butik|butikk|nettbutikk|kauppa|verkkokauppa|obchod|strona(?: internetowa)?|stránka|sklep|webáruház|oldal|magazin|mağaza(?:m)?|dükkan(?:ım)?|trgovina|pood|veikals|parduotuvė|магазин|сайт|крамниця|κατάστημα)(?:[- ](?:online|virtual|en ligne|en línea|internetowy|name|\\d{1,3}))?';
const defaultName = new RegExp(`^(?:(?:${possessives})\\s)?(?:${shopNouns})$`, 'i');

// Words of navigation, and of pages that every site has.
const navigation = new RegExp(
  `^(?:${[
    'home ?page|home|welcome|start|startseite|startsida|accueil|inicio|in[ií]cio|p[aá]gina (?:iniziale|inicial|principal|principală)|strona g[lł][oó]wna',
    'index|main (?:page|website(?: store)?)|hoofdpagina|etusivu|forside|avaleht|kezdőlap|főoldal|úvod|domov|domů|acasă|hem|hjem|naslovna|početna|sākums|pagrindinis',
    'ana ?sayfa|anasayfa|beranda|trang chủ|αρχική|начало|главная(?: страница)?|головна|الرئيسية|דף הבית|ראשי|หน้าแรก|홈|ホーム|トップページ|首页|首頁',
    '(?:your |shopping )*(?:cart|basket|bag)|carrito|panier|warenkorb|carrello|winkelwagen|koszyk|checkout|kasse|page not found|page introuvable|seite nicht gefunden|página no encontrada|pagina non trovata',
  ].join('|')})$`,
  'i',
);

const placeholder =
  /^(?:default(?: store view)?|untitled|password|opening soon|coming soon|logo|site logo|header logo|image|brand logo|magento(?: (?:commerce|demo store))?|madison island|luma|wordpress|just another wordpress site|(?:un autre|otro|um outro|eine weitere|ennesimo|nog een|kolejn[ay]|ännu en|endnu en|další)\s.{0,12}wordpress.{0,12}|prestashop|opencart|zen cart.{0,40}|woocommerce|shopify|bigcommerce|squarespace|wix|demo (?:store|shop)|storefront|oscommerce|example|test|menu|search|copyright|all rights reserved|tous droits r[eé]serv[eé]s|alle rechte vorbehalten|privacy policy|terms(?: (?:of use|of service|and conditions|& conditions))?|online|official (?:site|store|website)|404(?: not found)?|not found|null|undefined|false|true|\[object object\]|\{\{.{0,60}|\$?\{\$?[\w.:-]{1,60}\}|\[\w{1,30}:[\w:-]{1,60}\]|\[\[.{1,60}\]\]|<%.{1,60}%>|%.{1,40}%|back to home|site title|mysite|english|deutsch|sale|free (?:worldwide )?(?:shipping|delivery)(?: on all orders)?|demo-?(?:shop|store)|интернет[- ]магазин|マイ(?:ストア|ショップ)|我的(?:商店|网站)|내 ?쇼핑몰|متجري|החנות שלי|flatsome|ux themes|trusted shops|contact(?: us)?|about(?: us)?|shop all|all products)$/i;

/** Whether a text cannot be the name of a store: it is a platform's default, a word of navigation, or a placeholder. */
export const isGeneric = (text: string): boolean =>
  defaultName.test(text) || navigation.test(text) || placeholder.test(text);

const greeting =
  /^(?:welcome to|willkommen (?:bei|auf)|bienvenue (?:chez|sur)|bienvenid[oa]s? a|benvenuti (?:su|da)|bem[- ]vindo(?: ao?| à)|witamy w|welkom bij)\s+/i;
const shopWords =
  /\s+(?:official (?:online )?(?:store|shop|site|website)|online (?:store|shop)|web ?shop|onlineshop|online-shop|logo|home ?page)$/i;
// Only spellings that companies use: "as" and "sa" are words, and "Co" is often a part of the name.
const legalForm =
  /[\s,]+(?:[Ii]nc|INC|[Ii]ncorporated|LLC|L\.L\.C|llc|[Ll]td|LTD|[Ll]imited|[Cc]orp|[Cc]orporation|(?:[Gg]mbH|GMBH)(?:\s?&\s?[Cc]o\.?\s?KG)?|AG|KG|OHG|e\.?\s?K|UG(?: \(haftungsbeschränkt\))?|S\.?A\.?R\.?L|SARL|SAS|S\.A\.S|S\.?A|S\.?[Rr]\.?[Ll]|S\.?L\.?U?|S\.?p\.?A|B\.?V|N\.?V|AB|A\/S|ApS|AS|Oy|[Ss]p\.? z ?o\.?\s?o|s\.?r\.?o|a\.s|[Kk]ft|d\.?o\.?o|[Pp]ty\.?(?: [Ll]td)?|PLC|plc|[Pp]vt\.?(?: [Ll]td)?|[Pp]rivate [Ll]imited|[Ll]tda|LTDA|EIRELI|S\.?A\.? de C\.?V|[Ss]dn\.? [Bb]hd|Ltd\.? Şti|A\.Ş|Е?ООД|จำกัด|株式会社|有限公司)\.?$/u;
/**
 * Legal forms before the name. Words may begin like most of them ("ТОВАРЫ"). A space or a quote must therefore follow. Only the last four
 * may be directly before a name.
 */
const legalFormBefore =
  /^(?:(?:[Cc]ông [Tt]y (?:TNHH|[Cc]ổ [Pp]hần|CP)(?: (?:MTV|[Mm]ột [Tt]hành [Vv]iên))?|CÔNG TY (?:TNHH|CỔ PHẦN|CP)(?: (?:MTV|MỘT THÀNH VIÊN))?|ООО|ОАО|ЗАО|ТОВ|ПрАТ|ЕООД|บริษัท|주식회사|合同会社)(?:\s{1,3}(?=[\p{L}\p{N}])|\s{0,3}(?=[«"„“]))|(?:株式会社|有限会社|㈜|\(주\))\s{0,3}(?=[\p{L}\p{N}«"„“]))/u;
const legalFormAfter = /(?<=\p{L})(?:(?:股份)?有限公司|株式会社|有限会社|合同会社|주식회사|㈜)$/u;
const wholeQuote = /^[«"„“]([^«»"„“”]{2,80})[»"“”]?$/u;

export function bare(text: string): string {
  let name = text.replace(greeting, '').replace(/^(?:the official|official)\s+/i, '');
  for (let i = 0; i < 2; i++) {
    const next = name
      .replace(shopWords, '')
      .replace(legalForm, '')
      .replace(legalFormBefore, '')
      .replace(legalFormAfter, '')
      .replace(wholeQuote, '$1')
      .replace(/[\s,;:.–—|&-]+$/, '');
    name = next || name;
  }
  return name.replace(/^[\s,;:.–—|-]+/, '').replace(/[®™©]+$/, '');
}

/** Returns the parts of "Brand | Tagline", "Page – Brand" and "Brand: Tagline". */
export const partsOf = (text: string): string[] =>
  text
    .slice(0, 600)
    .split(/\s[-–—|·•:»«~]{1,2}\s|\s?[|｜»]\s?|: |\s::\s/)
    .map(clean)
    .filter((part) => part !== undefined);

const affixes =
  /^(?:the|my|get|buy|shop|go|try|hello|we|e|i|store|official|www|boutique|tienda|loja|sklep|online|de|le|la|and|und|co|hq|usa|us|uk|eu|ca|au|nz|in|inc|llc|ltd|gmbh|group|global|world|web|webshop|onlineshop|onlinestore|brand|brands|shops|stores|net|com|company|official|international|intl|onlineshop|kauf|kaufen)*$/;

/** How well the label of the host supports a name: 1 if it is the name, 0.6 if one contains the other. */
export function hostShare(name: string, label: string): number {
  const own = plain(label);
  if (own.length < 2) return 0;
  let share = 0;
  for (const form of hostForms(name.replace(/\.(?:com|net|org|shop|store|co|[a-z]{2})(?:\.[a-z]{2})?$/i, ''))) {
    if (form.length < 2) continue;
    if (form === own) return 1;
    if (form.length >= 3 && own.startsWith(form) && affixes.test(own.slice(form.length))) share = 1;
    else if (form.length >= 3 && own.endsWith(form) && affixes.test(own.slice(0, -form.length))) share = 1;
    else if (own.length >= 3 && form.startsWith(own) && affixes.test(form.slice(own.length))) share = 1;
    else if (own.length >= 4 && form.length >= 4 && (form.includes(own) || own.includes(form)))
      share = Math.max(share, 0.6);
  }
  const initials = name
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word[0] ?? '')
    .join('');
  if (initials.length >= 3 && plain(initials) === own) share = Math.max(share, 0.6);
  return share;
}

const ampersand = 38;
const plus = 43;

/** The lower-case ASCII letter or digit. 0: another ASCII character, which no form has. -1: a character that may become letters. */
function letterOf(code: number): number {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return code;
  if (code >= 65 && code <= 90) return code + 32;
  return code > 127 || code === ampersand || code === plus ? -1 : 0;
}

/**
 * Whether `own` may start with a form of the word at `at`. Letters and digits decide until the first character that {@link hostForms}
 * writes in another way. This check is cheaper than the forms.
 */
function mayStart(text: string, at: number, own: string): boolean {
  let matched = 0;
  for (let place = at; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (isBlank(code)) break;
    const letter = letterOf(code);
    if (letter === -1) return true;
    if (letter !== 0 && letter !== own.charCodeAt(matched++)) return false;
  }
  return matched > 0;
}

const maxSpelledChars = 5000;
const maxSpelledWords = 6;

/** Returns consecutive words of `text` that together spell the label of the host: "Lamp House" for lamphouse.com. */
export function spelledOut(text: string, label: string): string | undefined {
  const own = plain(label);
  if (own.length < 4) return undefined;
  const start = text.slice(0, maxSpelledChars);
  let startsWord = true;
  for (let at = 0; at < start.length; at++) {
    const isFirst = startsWord;
    startsWord = isBlank(start.charCodeAt(at));
    if (!isFirst || startsWord || !mayStart(start, at, own)) continue;
    const words = start.slice(at).split(/\s+/, maxSpelledWords);
    if (!hostForms(words[0] as string).some((form) => form !== '' && own.startsWith(form))) continue;
    for (let count = 1; count <= words.length; count++) {
      const name = words.slice(0, count).join(' ');
      if (name.length > own.length + 16) break;
      if (name.length < own.length - 4 || !hostForms(name).includes(own)) continue;
      const trimmed = clean(name.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}!?.)]+$/gu, '').replace(/[.)]+$/, ''));
      if (trimmed && /[\p{Lu}\p{Lo}\p{N}]/u.test(trimmed)) return trimmed;
    }
  }
  return undefined;
}
