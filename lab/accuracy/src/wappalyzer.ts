import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { slugOf } from '@shopscope/fingerprint/slug';
import { Parser } from 'htmlparser2';
import type { NamedTechnology } from './score-technologies.ts';

/**
 * Runs the engine of the pinned `wappalyzer` package with its own rules, without its driver, which needs a browser.
 *
 * - Input: the URL, the HTML, the URLs of scripts, inline scripts and meta tags. A saved page has neither headers nor cookies.
 * - Rules that require another technology or category run as soon as it is found, until nothing new is found, as in its driver.
 * - The `dom` and `js` rules do not run, because its driver evaluates them in a browser.
 */
type Technology = { name: string };
type Detection = { technology: Technology };
interface Core {
  requires: { name: string; technologies: Technology[] }[];
  categoryRequires: { categoryId: number; technologies: Technology[] }[];
  setTechnologies(data: object): void;
  setCategories(data: object): void;
  analyze(items: object, technologies?: Technology[]): Detection[];
  resolve(detections: Detection[]): { name: string; categories: { id: number; name: string }[] }[];
}

const require = createRequire(import.meta.url);
const maxHtmlChars = 2_000_000;

function loadCore(): Core {
  const root = dirname(require.resolve('wappalyzer/package.json'));
  const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
  const core = require('wappalyzer/wappalyzer.js') as Core;
  const files = readdirSync(join(root, 'technologies')).filter((file) => file.endsWith('.json'));
  core.setTechnologies(Object.assign({}, ...files.map((file) => read('technologies', file))));
  core.setCategories(read('categories.json'));
  return core;
}

let loaded: Core | undefined;

export function wappalyzerTechnologies(url: string, html: string): NamedTechnology[] {
  loaded ??= loadCore();
  const core = loaded;
  const items = itemsOf(url, html.slice(0, maxHtmlChars));
  const detections = core.analyze(items);
  const waiting = new Set([...core.requires, ...core.categoryRequires]);
  let resolved = core.resolve(detections);
  for (let met = true; met; ) {
    met = false;
    const names = new Set(resolved.map(({ name }) => name));
    const categories = new Set(resolved.flatMap((technology) => technology.categories.map(({ id }) => id)));
    for (const requirement of waiting) {
      const isMet = 'name' in requirement ? names.has(requirement.name) : categories.has(requirement.categoryId);
      if (!isMet) continue;
      met = true;
      waiting.delete(requirement);
      detections.push(...core.analyze(items, requirement.technologies));
    }
    if (met) resolved = core.resolve(detections);
  }
  return resolved.map(({ name, categories }) => ({
    slug: slugOf(name),
    name,
    category: slugOf(categories[0]?.name ?? 'Miscellaneous'),
  }));
}

function itemsOf(url: string, html: string): object {
  const scriptSrc: string[] = [];
  const inline: string[] = [];
  const meta: Record<string, string[]> = Object.create(null);
  let isScript = false;
  const parser = new Parser({
    onopentag(tag, { src, name, property, content }) {
      isScript = tag === 'script' && src === undefined;
      if (tag === 'script' && src) scriptSrc.push(src);
      const key = (name ?? property)?.toLowerCase();
      if (tag === 'meta' && key && content) meta[key] = [...(meta[key] ?? []), content];
    },
    ontext(text) {
      if (isScript) inline.push(text);
    },
    onclosetag() {
      isScript = false;
    },
  });
  parser.end(html);
  return { url, html, scriptSrc, scripts: inline.join('\n'), meta };
}
