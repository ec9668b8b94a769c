import { describe, expect, it } from 'vitest';
import { loaded, page, script } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';

const found = (markup: Parameters<typeof page>[0], slug: string) =>
  observeStore(page(markup)).technologies.find((one) => one.slug === slug);

const wordpress = loaded('/wp-includes/js/wp-embed.min.js');
const shopify = script('Shopify.shop = "a.myshopify.com";');

describe('a library in a joined file', () => {
  it.each([
    "if (typeof klaviyo !== 'undefined') klaviyo.identify({email: email});",
    "klaviyo.openForm('AbC123');",
    'klaviyo.isIdentified().then(show);',
    "klaviyo.track('Viewed Product', item);",
    'var _klOnsite = window._klOnsite || [];',
  ])('Klaviyo is configured by a call that a theme may make for any account: %s', (code) => {
    expect(found({ body: script(code) }, 'klaviyo')).toMatchObject({ installState: 'configured' });
  });

  it.each([
    ['klaviyo', "klaviyo.init({account: 'AbC123'});"],
    ['google-tag-manager', "w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});"],
  ])('the technology %s is configured by a script of a template, which does not run', (slug, code) => {
    const template = (open: string) => found({ body: `${open}${script(code)}</template>` }, slug)?.installState;
    expect(template('<template>')).toBe('configured');
    expect(template('<template shadowrootmode="open">')).toBe('active');
    expect(found({ body: `<template>${script(code)}</template>${script(code)}` }, slug)?.installState).toBe('active');
  });

  it('a technology is configured by a script that a template loads, because it runs only in a copy of the template', () => {
    const body = `<template>${loaded('https://static.klaviyo.com/onsite/js/a.js')}</template>`;
    expect(found({ body }, 'klaviyo')).toMatchObject({ installState: 'configured' });
    const loader = script('load("https://static.klaviyo.com/onsite/js/a.js");');
    expect(found({ body: `<template>${loader}</template>` }, 'klaviyo')).toMatchObject({ installState: 'configured' });
  });

  it('the platform StoreHippo is not found by the folder of its front end alone', () => {
    const head = loaded('/global/assets/mystore/js/a.js');
    expect(observeStore(page({ head })).platform.slug).not.toBe('storehippo');
    const both = head + loaded('/ms/store/demo/EN/translations-auto.js');
    expect(observeStore(page({ head: both })).platform.slug).toBe('storehippo');
  });

  it('RequireJS is not found by an object that has only the name of its configuration', () => {
    expect(found({ body: script('var require = {vs: {a: 1}};') }, 'requirejs')).toBeUndefined();
  });

  it('Knockout is found by the comments that it reads', () => {
    const body = (comment: string) => ({ body: `<div><!-- ${comment} --><span></span><!-- /ko --></div>` });
    for (const comment of ['ko if: customer().fullname', 'ko template: getTemplate()', "ko i18n: 'Hi'"])
      expect(found(body(comment), 'knockout-js')).toMatchObject({ confidence: 'medium' });
    expect(found(body('ko, if: at all'), 'knockout-js')).toBeUndefined();
  });

  it('a library is not found by attributes and classes that have its words and another meaning', () => {
    const body =
      '<div data-aos></div><div class="slides"></div><div class="flexslider-wrapper"></div><a class="zoom" href="/a">b</a><button class="dropdown-toggle" data-toggle="dropdown"></button>';
    for (const slug of ['aos', 'flexslider', 'cloud-zoom', 'bootstrap']) expect(found({ body }, slug)).toBeUndefined();
  });
});

describe('reCAPTCHA in a module of Magento', () => {
  const component = (name: string) =>
    found(
      {
        head: loaded('/static/version1/frontend/Magento/luma/en_US/requirejs/require.js'),
        body: `<script type="text/x-magento-init">{"*":{"Magento_Ui/js/core/app":{"components":{"recaptcha":{"component":"${name}"}}}}}</script>`,
      },
      'recaptcha',
    );

  it('reCAPTCHA in a module of Magento is found where a form has it', () => {
    expect(component('Magento_ReCaptchaFrontendUi\\/js\\/reCaptcha')).toMatchObject({ installState: 'active' });
    expect(component('MSP_ReCaptcha\\/js\\/reCaptcha')).toBeDefined();
    expect(component('Magento_Captcha\\/js\\/view')).toBeUndefined();
  });
});

describe('a service in copied code', () => {
  it('Section Store is found by the names of its sections', () => {
    const section = (name: string) => ({
      body: `<div id="shopify-section-template--1__${name}_fVLUjn" class="shopify-section"></div>`,
    });
    expect(found(section('ss_testimonials_2'), 'section-store')).toMatchObject({ confidence: 'medium' });
    expect(found(section('testimonials'), 'section-store')).toBeUndefined();
  });

  it('Google Analytics is found by the comment that Magento prints around the settings of its module', () => {
    const settings =
      '<script type="text/x-magento-init">{"*":{"Magento_GoogleAnalytics/js/google-analytics":{}}}</script>';
    const body = `<!-- BEGIN GOOGLE ANALYTICS CODE -->${settings}<!-- END GOOGLE ANALYTICS CODE -->`;
    expect(found({ body }, 'google-analytics')).toMatchObject({ confidence: 'medium' });
  });

  it('Elementor is found in the folders of Bedrock', () => {
    const head = loaded('/app/plugins/elementor/assets/js/frontend.min.js?ver=3.23.4');
    const body = '<div data-elementor-type="wp-page" class="elementor elementor-kit-5"></div>';
    const observed = observeStore(page({ head, body })).technologies.map(({ slug }) => slug);
    expect(observed).toEqual(expect.arrayContaining(['elementor', 'wordpress']));
  });

  it('a tag of Google is not found by its command queue alone', () => {
    expect(
      found({ body: script('window.googletag = window.googletag || {cmd: []};') }, 'google-publisher-tag'),
    ).toBeUndefined();
  });

  it('hCaptcha is found by the file that Shopify gives to forms', () => {
    const head =
      shopify +
      script(
        "var a='https://cdn.shopify.com/shopifycloud/storefront-forms-hcaptcha/ce_storefront_forms_captcha_hcaptcha.v1.5.2.iife.js';",
      );
    expect(found({ head }, 'hcaptcha')).toMatchObject({ installState: 'active' });
    expect(found({ head }, 'recaptcha')).toBeUndefined();
    const other = head.replace('captcha_hcaptcha', 'captcha_recaptcha');
    expect(found({ head: other }, 'hcaptcha')).toBeUndefined();
    expect(found({ head: other }, 'recaptcha')).toMatchObject({ installState: 'active' });
  });
});

describe('settings that a plugin of WordPress prints for a joined script', () => {
  it('settings that a plugin of WordPress prints for a joined script name the tags of Google whose identifiers they have', () => {
    const head = script(
      'var a = {"ads":{"conversion_ids":{"AW-11044677495":""}},"ga4":{"measurement_id":"G-98PVNVT4H8"}};',
    );
    for (const slug of ['google-ads-conversion-tracking', 'google-analytics'])
      expect(found({ head }, slug)).toBeDefined();
    const empty = script('var a = {"ads":{"conversion_ids":{}},"ga4":{"measurement_id":""}};');
    for (const slug of ['google-ads-conversion-tracking', 'google-analytics'])
      expect(found({ head: empty }, slug)).toBeUndefined();
  });
});

describe('state of a technology', () => {
  it.each([
    [
      'focus-within-polyfill',
      '<script nomodule="" src="https://unpkg.com/focus-within-polyfill@5.0.9/dist/a.js"></script>',
    ],
    ['recaptcha', shopify + script('Shopify.recaptchaV3 = {siteKey: "a"};')],
    ['locksmith', shopify + script('if (window.Locksmith) window.Locksmith.ready();')],
  ])('a technology is not active where nothing of it runs: %s', (slug, head) => {
    expect(found({ head }, slug)?.installState).not.toBe('active');
  });
});

describe('traces that several products share', () => {
  it.each([
    ['https://cdn-loyalty.yotpo.com/loader/a.js', 'yotpo-loyalty-and-referrals', 'yotpo-reviews'],
    ['https://currency.conversionbear.com/script?app=currency', 'bucks-currency-converter', 'honeycomb-upsell'],
    ['https://pagead2.googlesyndication.com/tag/js/gpt.js', 'google-publisher-tag', 'google-adsense'],
    ['https://staticw2.yotpo.com/a/widget.js', 'yotpo-reviews', 'yotpo-loyalty-and-referrals'],
    ['https://cdn.conversionbear.com/a.js?app=honeycomb', 'honeycomb-upsell', 'bucks-currency-converter'],
    ['https://pagead2.googlesyndication.com/pagead/show_ads.js', 'google-adsense', 'google-publisher-tag'],
  ])('the path or host of %s names %s and not %s', (url, slug, other) => {
    const head = shopify + loaded(url);
    expect(found({ head }, slug)).toMatchObject({ installState: 'active' });
    expect(found({ head }, other)).toBeUndefined();
  });

  it('the classes of Slick imply no jQuery, because a port to React has them', () => {
    const body = '<div class="slick-slider"><div class="slick-list"><div class="slick-track"></div></div></div>';
    const technologies = observeStore(page({ body: body + script('$(".a").slick({});') })).technologies;
    expect(technologies.map(({ slug }) => slug)).toContain('slick');
    expect(technologies.map(({ slug }) => slug)).not.toContain('jquery');
  });

  it('the host of several apps names the app of the path and not their vendor', () => {
    const head = shopify + loaded('https://secure.apps.shappify.com/apps/upsell/upselljsscript.php');
    expect(found({ head }, 'bold-upsell')).toBeDefined();
    expect(found({ head }, 'bold-commerce')).toBeUndefined();
    expect(found({ head: shopify + loaded('https://cdn.hextom.com/js/freeshippingbar.js') }, 'hextom')).toBeUndefined();
  });

  it('links and widgets of Amazon Associates are not advertisements of Amazon', () => {
    const head = loaded('https://z-na.amazon-adsystem.com/widgets/onejs?MarketPlace=US');
    expect(found({ head }, 'amazon-associates')).toBeDefined();
    expect(found({ head }, 'amazon-advertising')).toBeUndefined();
    expect(found({ head: loaded('https://c.amazon-adsystem.com/aax2/apstag.js') }, 'amazon-advertising')).toBeDefined();
  });

  it('the express buttons of Shopify are not Shop Pay', () => {
    const body = '<shopify-accelerated-checkout></shopify-accelerated-checkout>';
    expect(found({ head: shopify, body }, 'shop-pay')).toBeUndefined();
    expect(found({ head: shopify, body: '<shop-pay-button></shop-pay-button>' }, 'shop-pay')).toBeDefined();
  });

  it('the framework of a theme is not the plugin of the same maker', () => {
    const head = `${wordpress}<meta name="framework" content="Redux 4.1.29">`;
    expect(found({ head }, 'extendify')).toBeUndefined();
  });

  it('settings that the plugin Divi Builder prints too are not a trace of the theme', () => {
    expect(found({ head: wordpress + script('var et_pb_custom = {"ajaxurl":"/a"};') }, 'divi')).toBeUndefined();
  });
});

describe('part of a product', () => {
  it('a part of a product is no other product of the vendor', () => {
    const plusOne = { head: loaded('https://apis.google.com/js/plusone.js') };
    expect(found(plusOne, 'google-plus')).toBeDefined();
    expect(found(plusOne, 'google-api-client')).toBeUndefined();
    expect(found({ head: loaded('https://apis.google.com/js/api:client.js') }, 'google-api-client')).toBeDefined();
  });

  it('a part of a product is not found by an empty element of the theme, not even beside the script of another app', () => {
    const badge = (classes: string) => `<div class="${classes}" data-id="1"></div>`;
    const placeholder = `${badge('shopify-product-reviews-badge')}<div id="shopify-product-reviews" data-id="1"></div><span class="spr-badge"></span>`;
    const other = loaded('https://loox.io/widget/a/loox.js') + badge('yotpo bottomLine shopify-product-reviews-badge');
    for (const body of [placeholder, placeholder + other])
      expect(found({ head: shopify, body }, 'shopify-product-reviews')).toBeUndefined();
    const app = loaded('https://productreviews.shopifycdn.com/assets/v4/spr.js?shop=a.myshopify.com');
    const data = '<div class="spr-container"><h2>Customer Reviews</h2></div>';
    for (const body of [placeholder + app, `<div id="shopify-product-reviews" data-id="1">${data}</div>`])
      expect(found({ head: shopify, body }, 'shopify-product-reviews')).toBeDefined();
  });
});
