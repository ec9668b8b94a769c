import { describe, expect, it } from 'vitest';
import { loaded, page, script } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';

const wordpress = loaded('/wp-includes/js/a.js');
const found = (head: string, slug: string) =>
  observeStore(page({ head })).technologies.find((technology) => technology.slug === slug);

describe('technologies by the calls that start them', () => {
  it.each([
    ['flexslider', "jQuery('.f').flexslider({animation: 'slide'});"],
    ['jquery-validation', "$('#f').validate({ rules: {} });"],
    ['masonry-js', "$('.g').masonry({itemSelector: '.i'});"],
    ['isotope', "new Isotope('.g', {});"],
    ['select2', "$('select').select2({width: '100%'});"],
    ['chosen', "$('select').chosen();"],
    ['mmenu', "$('#menu').mmenu({});"],
    ['tooltipster', "$('.t').tooltipster();"],
    ['slider-revolution', 'setREVStartSize({c: "rev_slider_1"});'],
    ['bootstrap-select', "$('.s').selectpicker();"],
    ['ion-rangeslider', "$('#r').ionRangeSlider({});"],
    ['nouislider', 'noUiSlider.create(element, {start: 1});'],
    ['splide', "new Splide('.splide').mount();"],
    ['glide-js', "new Glide('.glide').mount();"],
    ['flickity', "new Flickity('.c', {});"],
    ['tiny-slider', "tns({ container: '.s' });"],
    ['fancybox', "Fancybox.bind('[data-fancybox]');"],
    ['flatpickr', "flatpickr('#d', {});"],
    ['vanilla-lazyload', "new LazyLoad({ elements_selector: '.lazy' });"],
    ['jquery-lazy-load', "$('img').lazyload({ effect: 'fadeIn' });"],
    ['leaflet', "var map = L.map('map');"],
    ['leaflet', "var map = L.map(document.getElementById('m')); L.marker(place).addTo(map);"],
    ['google-maps', "new google.maps.Map(document.getElementById('m'), {});"],
    ['cloudflare-turnstile', "turnstile.render('#t', {});"],
    ['caroufredsel', "$('#c').carouFredSel({});"],
    ['sweetalert2', "Swal.fire('Added');"],
    ['knockout-js', 'ko.applyBindings(new Model());'],
    ['vue-js', "new Vue({ el: '#app' });"],
    ['react', 'ReactDOM.render(a, b);'],
    ['prototype', "new Product.OptionsPrice({}); decorateGeneric($$('ul'), ['odd']);"],
    ['twitter-ads', "twq('config', 'abc12');"],
    ['outbrain', "obApi('track', 'PAGE_VIEW');"],
    ['tealium', 'var utag_data = {"page": "home"};'],
    ['ibm-coremetrics', "cmSetClientID('900', true, 'data.example', 'shop.example');"],
    ['criteo', "window.criteo_q.push({ event: 'setAccount', account: 1 });"],
    ['bazaarvoice-reviews', "$BV.ui('rr', 'show_reviews', {});"],
    [
      'zendesk-chat',
      'window.$zopim||(function(d,s){var z=$zopim=function(c){z._.push(c)},$=z.s=d.createElement(s),e=d.getElementsByTagName(s)[0];$.async=!0;$.src="https://v2.zopim.com/?2mEIF2gw9y";e.parentNode.insertBefore($,e)})(document,"script");',
    ],
  ])('%s is found when the page starts it', (slug, code) => {
    expect(found(script(code), slug)).toBeDefined();
  });

  it.each([
    ['elementor-pro', 'var ElementorProFrontendConfig = {"a":1};'],
    ['gravity-forms', 'gform.initializeOnLoaded( function() {} );'],
    ['popup-maker', 'var pum_vars = {"version":"1"};'],
    ['woodmart', 'var woodmart_settings = {"a":1};'],
    ['flatsome', 'var flatsomeVars = {"a":1};'],
    ['astra', 'var astra = {"break_point":"921"};'],
    ['translatepress', 'var trp_data = {"a":1};'],
    ['litespeed-cache', 'const litespeed_docref=sessionStorage.getItem("litespeed_docref");'],
  ])('%s is found by the settings of its script, and only on its platform', (slug, code) => {
    expect(found(wordpress + script(code), slug)?.confidence).toBe('medium');
    if (['elementor-pro', 'gravity-forms', 'popup-maker', 'translatepress', 'litespeed-cache'].includes(slug))
      expect(found(script(code), slug)).toBeUndefined();
  });

  it.each([
    ['material-icons', '<i class="material-icons">menu</i>'],
    ['trustpilot', '<div class="trustpilot-widget" data-template-id="5419b6a8b0d04a076446a9ad"></div>'],
    ['elfsight', '<div class="elfsight-app-0a1b2c3d"></div>'],
    ['wp-external-links', `${wordpress}<a href="/a" data-wpel-link="internal">a</a>`],
    ['swiper', '<div class="swiper"><div class="swiper-wrapper"><div class="swiper-slide"></div></div></div>'],
    ['google-maps', '<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>'],
  ])('%s is found by its own elements', (slug, markup) => {
    expect(observeStore(page({ body: markup })).technologies.map((one) => one.slug)).toContain(slug);
  });
});
