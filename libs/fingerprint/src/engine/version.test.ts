import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';
import { acceptedVersion, fileVersion, isVersion } from './version.ts';

const versionsOf = (...head: string[]): Record<string, string> =>
  Object.fromEntries(
    observeStore(page({ head: head.join('') }))
      .technologies.filter(({ version }) => version)
      .map(({ slug, version }) => [slug, version as string]),
  );
const generator = (content: string): string => `<meta name="generator" content="${content}">`;
const wp = (file: string): string => `https://shop.example/wp-${file}`;

describe('isVersion', () => {
  it.each(['1.2', '3.7.1', '10.2.2', '4.17.21', '6.8.0-rc1', '2.0.0b', '1.12.4-wp', '11.0', '2023.2.718'])(
    'isVersion accepts %s',
    (text) => {
      expect(isVersion(text)).toBe(true);
    },
  );

  it.each([
    '',
    '3',
    'UA',
    'GA4',
    '2+',
    '157344137',
    '1696837376',
    '20230801',
    '2023.08.15',
    '2023-8-5',
    'a1b2c3d',
    'v1.2',
    '1.',
  ])('isVersion refuses %s', (text) => {
    expect(isVersion(text)).toBe(false);
  });
});

describe('version in a file name', () => {
  it.each([
    ['/js/jquery-3.7.1.min.js?v=9.9.9', 'jquery', '3.7.1'],
    ['https://cdnjs.cloudflare.com/ajax/libs/modernizr/2.8.3/modernizr.min.js', 'modernizr', '2.8.3'],
    ['/vendor/modernizr-3.7.1-respond-1.4.2.min.js', 'modernizr', '3.7.1'],
    ['https://cdn.jsdelivr.net/npm/vue@2.6.14/dist/vue.js', 'vue-js', '2.6.14'],
    ['/jquery.fancybox-1.3.4.pack.js', 'fancybox', '1.3.4'],
    ['https://maxcdn.bootstrapcdn.com/font-awesome/4.3.0/css/font-awesome.min.css', 'font-awesome', '4.3.0'],
    ['/jquery-ui-1.8.24.custom.min.js', 'jquery', ''],
    ['/jquery.fancybox-1.3.4.pack.js', 'jquery', ''],
    ['/jquery.min.js?ver=3.7.1', 'jquery', ''],
    ['/static/2.14.0/jquery.js', 'jquery', ''],
    ['/jquery-20230801.js', 'jquery', ''],
    ['/bootstrap-datepicker-1.6.4.js', 'bootstrap', ''],
    ['/js/jquery/1.4.1/jquery.cookie.min.js', 'jquery', ''],
    ['/js/angular-bootstrap-1.3.2.min.js', 'bootstrap', ''],
  ])('the version in the file name %s for %s is %j', (url, slug, version) => {
    expect(fileVersion(url, slug)).toBe(version);
  });

  it('the version in a file name is refused when a folder of the site has the number', () => {
    const at = (url: string, version: string, slug: string) =>
      acceptedVersion(version, url.indexOf(version), url, slug, 'script');
    expect(at('https://cdn.shop.example/static/2.14.0/jquery.js', '2.14.0', 'jquery')).toBe('');
    expect(at('https://ajax.googleapis.com/ajax/libs/jquery/2.1.4/jquery.js', '2.1.4', 'jquery')).toBe('2.1.4');
    expect(at('https://use.fontawesome.com/releases/v5.8.1/css/all.css', '5.8.1', 'font-awesome')).toBe('5.8.1');
  });

  it('the version in a file name counts for the product of the folder and the file, and for no other', () => {
    const cdn = 'https://cdnjs.cloudflare.com/ajax/libs';
    expect(
      versionsOf(
        loaded('https://code.jquery.com/ui/1.12.1/jquery-ui.js'),
        loaded('https://code.jquery.com/mobile/1.4.5/jquery.mobile-1.4.5.min.js'),
        loaded(`${cdn}/jquery-easing/1.4.1/jquery.easing.min.js`),
        loaded(`${cdn}/jquery.lazyload/1.9.1/jquery.lazyload.min.js`),
      ),
    ).toEqual({
      'jquery-easing': '1.4.1',
      'jquery-lazy-load': '1.9.1',
      'jquery-mobile': '1.4.5',
      'jquery-ui': '1.12.1',
    });
    expect(versionsOf(loaded(`${cdn}/twitter-bootstrap/4.6.0/js/bootstrap.min.js`))).toEqual({ bootstrap: '4.6.0' });
  });

  it('the search for the version in a file name does not backtrack on nearly matching names', () => {
    expect(fileVersion(`/jquery/1.2.3/jquery${'.1_1-1'.repeat(300)}!`, 'jquery')).toBe('');
  });
});

describe('version of a technology', () => {
  it('the version of a technology is the one of the generator, whatever the files say', () => {
    expect(
      versionsOf(
        generator('WordPress 6.3.1'),
        generator('WooCommerce 8.1.1'),
        sheet(wp('content/plugins/woocommerce/packages/woocommerce-blocks/build/wc-blocks.css?ver=10.9.3')),
        sheet(wp('content/plugins/woocommerce/assets/css/woocommerce.css?ver=8.1.0')),
      ),
    ).toEqual({ wordpress: '6.3.1', woocommerce: '8.1.1' });
  });

  it('the version of a technology is never the number of a bundled library', () => {
    const blockUi = loaded(wp('content/plugins/woocommerce/assets/js/jquery-blockui/jquery.blockUI.min.js?ver=2.70'));
    const selectWoo = loaded(wp('content/plugins/woocommerce/assets/js/select2/select2.min.js?ver=4.0.3'));
    expect(versionsOf(blockUi, selectWoo).woocommerce).toBeUndefined();
  });

  it('the version of a technology is the one that WooCommerce adds to the libraries that it bundles', () => {
    const file = 'content/plugins/woocommerce/assets/js/jquery-blockui/jquery.blockUI.min.js?ver=2.7.0-wc.9.8.2';
    const other = 'content/plugins/woocommerce/assets/js/js-cookie/js.cookie.min.js?ver=2.1.4-wc.9.8.2';
    expect(versionsOf(loaded(wp(file)), loaded(wp(other))).woocommerce).toBe('9.8.2');
  });

  it('the version of a technology is never a timestamp, a hash or a cache-buster', () => {
    expect(
      versionsOf(
        sheet(wp('content/cache/min/1/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver=1696837376')),
        loaded('https://shop.example/assets/jquery.fancybox.js?v=157344137'),
        loaded('https://shop.example/assets/jquery.fancybox.min.js?v=2.1.5'),
        loaded('https://connect.facebook.net/signals/config/1?v=2.9.29'),
        sheet('https://shop.example/css/bootstrap.min.css?57'),
        sheet('https://shop.example/css/bootstrap.min.css?v=5.4.1'),
      ),
    ).toEqual({});
  });

  it('the version of a technology is never the one of a library that a script loads where it is missing', () => {
    const url = 'https://ajax.googleapis.com/ajax/libs/jquery/2.2.4/jquery.min.js';
    expect(versionsOf(script(`window.jQuery || document.write("<script src='${url}'>\\x3C/script>")`))).toEqual({});
    expect(versionsOf(loaded(url))).toEqual({ jquery: '2.2.4' });
  });

  it('the version of a technology is never the number after the name of another product', () => {
    expect(versionsOf(generator('WordPress 6.4.3'), '<meta name="framework" content="Redux 4.3.7.3">')).toEqual({
      wordpress: '6.4.3',
    });
  });

  it('the version of a technology is never the number of a theme of WordPress', () => {
    expect(versionsOf(loaded(wp('content/themes/astra/assets/js/frontend.min.js?ver=4.1.0'))).astra).toBeUndefined();
  });

  it('the version of a technology is never a label or the level of an interface', () => {
    expect(
      versionsOf(
        script("gtag('config', 'UA-1234-1'); gtag('config', 'G-ABC');"),
        loaded('https://www.googletagmanager.com/gtag/js?id=G-ABC'),
        loaded('https://polyfill.io/v3/polyfill.min.js'),
        loaded('https://hcaptcha.com/1/api.js'),
      ),
    ).toEqual({});
  });

  it('the version of a technology is the one with which WordPress registers its own libraries', () => {
    expect(
      versionsOf(
        generator('WordPress 6.5.5'),
        loaded(wp('includes/js/jquery/jquery.min.js?ver=3.7.1')),
        loaded(wp('includes/js/jquery/jquery-migrate.min.js?ver=3.4.1')),
        loaded(wp('includes/js/underscore.min.js?ver=1.13.4')),
      ),
    ).toEqual({ wordpress: '6.5.5', jquery: '3.7.1', 'jquery-migrate': '3.4.1', 'underscore-js': '1.13.4' });
    expect(
      versionsOf(generator('WordPress 6.5.5'), loaded(wp('includes/js/jquery/jquery.min.js?ver=6.5.5'))).jquery,
    ).toBeUndefined();
  });

  it('the version of a technology is the number of a plugin when its own files agree and no other folder has it', () => {
    const form = (file: string, version: string) => loaded(wp(`content/plugins/contact-form-7/${file}?ver=${version}`));
    const core = generator('WordPress 6.5.5');
    const of = (...head: string[]) => versionsOf(core, ...head)['contact-form-7'];
    expect(of(form('includes/js/index.js', '5.9.8'), form('includes/swv/js/index.js', '5.9.8'))).toBe('5.9.8');
    expect(of(form('includes/js/index.js', '5.9.8'))).toBeUndefined();
    expect(of(form('includes/js/index.js', '5.9.8'), form('includes/swv/js/index.js', '1.1'))).toBeUndefined();
    expect(of(form('includes/js/index.js', '6.5.5'), form('includes/swv/js/index.js', '6.5.5'))).toBeUndefined();
    expect(
      of(
        form('includes/js/index.js', '7.7.7'),
        form('includes/swv/js/index.js', '7.7.7'),
        sheet(wp('content/plugins/elementor/assets/css/frontend.min.css?ver=7.7.7')),
      ),
    ).toBeUndefined();
  });

  it('the version of a technology is the number of the file with the name of the plugin', () => {
    expect(versionsOf(sheet(wp('content/plugins/jetpack/css/jetpack.css?ver=11.0'))).jetpack).toBe('11.0');
  });

  it('the version of a plugin is in its generator and in its comment', () => {
    expect(
      versionsOf(
        loaded('/wp-includes/js/wp-embed.min.js'),
        generator('WP Rocket 3.18.2'),
        generator('Elementor 3.23.4; features: e_optimized_css_loading; settings: css_print_method-external'),
        '<!-- This site uses the Google Analytics by MonsterInsights plugin v8.19.0 - Using Analytics tracking -->',
      ),
    ).toEqual({ 'wp-rocket': '3.18.2', elementor: '3.23.4', monsterinsights: '8.19.0' });
  });
});
