import { describe, expect, it } from 'vitest';
import { scriptedTargets } from './script-redirect.ts';

const page = new URL('https://shop.example/a?b=c');
const of = (code: string) => scriptedTargets(code, page);

describe('addresses to which scripts lead', () => {
  it.each([
    ['location="/de/"', '/de/'],
    ["window.location.href = '/de/';", '/de/'],
    ['top.location=`/de/`', '/de/'],
    ['document.location . href="/de/"', '/de/'],
    ['window["location"]["href"]="/de/"', '/de/'],
    ['location.replace("/de/")', '/de/'],
    ["window.location['assign']('/de/')", '/de/'],
    ['window.open("/de/", "_self")', '/de/'],
    [`setTimeout("location.href='/de/'", 2000)`, '/de/'],
    ['const u = "/de/home"; window.location.href = u;', '/de/home'],
    ['location.href = location.protocol + "//www.shop.example" + location.pathname', 'https://www.shop.example/a'],
    ['location = location.origin + "/de/" + location.search', 'https://shop.example/de/?b=c'],
    ['location.href = "\\/de\\/"', '/de/'],
    ['location.href = "https:\\/\\/" + location.host + "\\/de\\/"', 'https://shop.example/de/'],
    ["location = '\\x2fde\\u002F\\u{74}ea'", '/de/tea'],
    ["location = '/it\\'s'", "/it's"],
    ['window.location.pathname = "/de/"', '/de/'],
    ['window . top.location.assign("/de/")', '/de/'],
    ['location = "/de/?from=" + encodeURIComponent(location.pathname)', '/de/?from=%2Fa'],
    ['location = decodeURIComponent("%2Fde%2F")', '/de/'],
    ['location = "/de/?u=" + escape(document.URL)', '/de/?u=https%3A%2F%2Fshop.example%2Fa%3Fb%3Dc'],
    ["var c = 'x'; location = 'https://' + c + '.queue.example/?c=' + c", 'https://x.queue.example/?c=x'],
    ['location = "https://other.example/?id=" + id()', 'https://other.example/?id='],
  ])('the addresses to which scripts lead are read: %s', (code, target) => {
    expect(of(code)).toEqual({ targets: [target], reloads: false });
  });

  it.each([
    'location.reload()',
    'location.href = location.href',
    'location = window.location;',
    'location.replace(location.href)',
    'location.href = "https://shop.example/a?b=c"',
  ])('the address of a script that loads the page again is that of the page itself: %s', (code) => {
    expect(of(code)).toEqual({ targets: [], reloads: true });
  });

  it.each([
    'if (location == "/x") go()',
    'if (location.href === "/x") go()',
    'const f = (location) => location',
    'let u = "/a"; u = "/b"; location.href = u',
    'location.href = target()',
    'location.href = "/a/" + id',
    'location.href = "https://www.shop.example/a/" + id',
    'location.href = "https://other.exam" + rest',
    'location.href = "https://" + host() + ".other.example/"',
    'location.href = encodeURIComponent(target())',
    'window.open("/de/", "_blank")',
    'my_location = "/x"',
    'store.location = "/x"',
    'shop.store.location.href = "/x"',
    'user.location.replace("a", "b")',
    'const location = "/x"',
  ])('a script leads to no address when only a browser knows it: %s', (code) => {
    expect(of(code)).toEqual({ targets: [], reloads: false });
  });

  it('the addresses to which scripts lead are read in bounded time from code that was written to be slow', () => {
    const hostile = ['location=', 'location.href = "a" + ', 'open("', 'x=', `${' '.repeat(50)}location`];
    for (const part of hostile) expect(of(part.repeat(20_000 / part.length)).targets.length).toBeLessThanOrEqual(40);
  });
});
