import { parsedJson } from '../json.ts';
import { scriptText } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { countryFromText, isCountry } from './countries.ts';

/**
 * The facts about the merchant that the platform prints: name, country and currency of the store. Settings of the visitor
 * (`Shopify.country`, a switched currency) are not read.
 */
export interface PlatformShop {
  name?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
  /** A country that the platform also sets if the merchant chooses none. */
  likelyCountry?: string | undefined;
}

const windowChars = 4000;

const noShop: PlatformShop = {};

/** Returns the text from the first occurrence of `mark` on. Empty if there is none. */
function after(text: string, mark: string, chars = windowChars): string {
  const at = text.indexOf(mark);
  return at === -1 ? '' : text.slice(at, at + chars);
}

const textOf = (match: RegExpExecArray | null): string | undefined =>
  match?.[1] ? (parsedJson(`"${match[1]}"`) as string | undefined) : undefined;

const quoted = '"((?:[^"\\\\\\n]|\\\\.){1,200})"';
const nameMember = new RegExp(`"name"\\s{0,4}:\\s{0,4}${quoted}`);
const siteTitle = new RegExp(`"siteTitle"\\s{0,4}:\\s{0,4}${quoted}`);
const displayName = new RegExp(`"siteDisplayName"\\s{0,4}:\\s{0,4}${quoted}`);
const countryCode = /"country_?[cC]ode"\s{0,4}:\s{0,4}"([A-Z]{2})"/;
const currencyCode = /"currencyCode"\s{0,4}:\s{0,4}"([A-Z]{3})"/;

const baseCurrency =
  /Shopify\.currency\s{0,4}=\s{0,4}\{[^}]{0,80}"active"\s{0,4}:\s{0,4}"([A-Z]{3})"[^}]{0,40}"rate"\s{0,4}:\s{0,4}"1\.0+"/;

/** Shopify: reads the shop of the web pixels manager, and the merchant of Apple Pay. */
function shopify({ inline, inlineWords, document }: PageEvidence): PlatformShop {
  const manager = inlineWords.has('initData') ? after(inline, 'initData') : '';
  const shop = /"shop"\s{0,4}:\s{0,4}\{/.exec(manager);
  const data = shop ? manager.slice(shop.index, shop.index + 1200) : '';
  const own = data.includes('myshopifyDomain') ? data : '';
  const applePay = document.byId('apple-pay-shop-capabilities')[0];
  const merchant = applePay ? scriptText(applePay).slice(0, 2000) : '';
  const base = inlineWords.has('Shopify.currency') ? baseCurrency.exec(inline) : null;
  return {
    name: textOf(nameMember.exec(own)),
    country: countryCode.exec(own)?.[1] ?? countryCode.exec(merchant)?.[1],
    currency: currencyCode.exec(own)?.[1] ?? currencyCode.exec(merchant)?.[1] ?? base?.[1],
  };
}

function squarespace({ inline, inlineWords }: PageEvidence): PlatformShop {
  if (!inlineWords.has('SQUARESPACE_CONTEXT')) return noShop;
  const context = after(inline, 'SQUARESPACE_CONTEXT', 60_000);
  const country = /"country"\s{0,4}:\s{0,4}"([A-Z]{2})"/.exec(after(context, '"websiteSettings"'))?.[1];
  // The default of a new site is the United States.
  const isDefault = country === 'US';
  return {
    name: textOf(siteTitle.exec(context)),
    currency: /"selectedCurrency"\s{0,4}:\s{0,4}"([A-Z]{3})"/.exec(context)?.[1],
    country: isDefault ? undefined : country,
    likelyCountry:
      (isDefault ? country : undefined) ??
      countryFromText(/"addressCountry"\s{0,4}:\s{0,4}"([^"\n]{2,60})"/.exec(after(context, '"location"', 1500))?.[1]),
  };
}

function wix({ document }: PageEvidence): PlatformShop {
  const model = document.byId('wix-essential-viewer-model')[0] ?? document.byId('wix-viewer-model')[0];
  return model ? { name: textOf(displayName.exec(scriptText(model).slice(0, 200_000))) } : {};
}

const baseLocation =
  /baseLocation(?:"|%22)\s{0,4}(?::|%3A)\s{0,4}(?:\{|%7B)(?:"|%22)country(?:"|%22)(?::|%3A)(?:"|%22)([A-Z]{2})(?:"|%22)(?:,|%2C)?(?:(?:"|%22)state(?:"|%22)(?::|%3A)(?:"|%22)([A-Z]{2})?)?/;
const stripeCheckout =
  /^[^{}]{0,80}\{[\s\S]{0,1500}?"checkout"\s{0,4}:\s{0,4}\{[^{}]{0,400}"country_code"\s{0,4}:\s{0,4}"([A-Z]{2})"/;

/**
 * WooCommerce: reads the base location in the settings of its blocks, or in the button of its own Stripe gateway. Other objects of Stripe
 * plugins have the country of the customer. The base location of a new store is US:CA.
 */
function wooCommerce({ inline, inlineWords }: PageEvidence): PlatformShop {
  const location = inlineWords.has('baseLocation') ? baseLocation.exec(inline) : null;
  const [, country, state] = location ?? [];
  if (country === 'US' && (state === 'CA' || !state)) return { likelyCountry: 'US' };
  if (country) return { country };
  if (!inlineWords.has('wc_stripe_')) return noShop;
  for (const name of ['wc_stripe_payment_request_params', 'wc_stripe_express_checkout_params']) {
    const code = stripeCheckout.exec(after(inline, name))?.[1];
    if (code) return code === 'US' ? { likelyCountry: code } : { country: code };
  }
  return {};
}

function prestaShop({ inline, inlineWords }: PageEvidence): PlatformShop {
  if (!inlineWords.has('prestashop')) return noShop;
  const settings = after(inline, 'var prestashop', 30_000);
  return { name: textOf(nameMember.exec(after(settings, '"shop":{', 400))) };
}

/** Tiendanube and Nuvemshop. */
function tiendanube({ inline, inlineWords }: PageEvidence): PlatformShop {
  if (!inlineWords.has('LS.store') && !inlineWords.has('LS = {')) return noShop;
  const settings = after(inline, 'LS.store', 4000) || after(inline, 'LS = {', 4000);
  return { country: /\bcountry\s{0,4}[:=]\s{0,4}["']([A-Z]{2})["']/.exec(settings)?.[1] };
}

export function platformShop(page: PageEvidence): PlatformShop {
  const shops = [shopify, squarespace, wix, wooCommerce, prestaShop, tiendanube].map((read) => read(page));
  const first = (key: keyof PlatformShop) => shops.map((shop) => shop[key]).find((text) => text !== undefined);
  const country = shops.map((shop) => shop.country).find((code) => code !== undefined && isCountry(code));
  return { name: first('name'), country, currency: first('currency'), likelyCountry: first('likelyCountry') };
}
