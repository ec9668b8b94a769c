import type { Element } from 'domhandler';
import { planSelector } from '../engine/selector-literals.ts';
import { matcherOf } from '../engine/selector-matcher.ts';
import { once } from '../once.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { codeOf } from './page-sight.ts';
import { type Wall, walls } from './wall.ts';

/**
 * Matches the rows of `data/walls`. Each expression is compiled on first use.
 *
 * - Bounds: {@link PageWords} bounds the texts. At most {@link maxCandidates} elements are tested per selector.
 */
const maxCandidates = 500;
const maxCodeChars = 60_000;

export class WallMarks {
  readonly wall: Wall;
  private readonly patterns = new Map<string, RegExp>();

  constructor(wall: Wall) {
    this.wall = wall;
  }

  /** Whether the response or its address has a mark that only the wall has. */
  decides({ headers, url }: PageEvidence): boolean {
    const { headers: names = {}, hosts = [], paths, by } = this.wall;
    for (const [name, pattern] of Object.entries(names)) {
      const values = headers.get(name);
      if (values?.some((value) => this.pattern(`header ${name}`, [pattern]).test(value))) return true;
    }
    if (!url) return false;
    if (hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))) return true;
    return by !== undefined && paths !== undefined && this.hasPath(url);
  }

  hasPath(url: URL | undefined): boolean {
    return url !== undefined && this.tells('paths', `${url.pathname}${url.search}`);
  }

  leadsTo(targets: readonly string[]): boolean {
    return targets.some((target) => this.tells('leadsTo', target));
  }

  ends(text: string): boolean {
    return this.tells('ends', text);
  }

  private tells(member: 'paths' | 'leadsTo' | 'ends', text: string): boolean {
    const forms = this.wall[member];
    return forms !== undefined && this.pattern(member, forms).test(text);
  }

  /** Whether an element of the page is a mark. The result is `weak` if all such elements are scripts, otherwise `strong`. */
  elements({ document }: PageEvidence): 'none' | 'weak' | 'strong' {
    let found: 'none' | 'weak' = 'none';
    for (const { subject, matches } of this.selectors()) {
      const element = document.bySubject(subject).slice(0, maxCandidates).find(matches);
      if (element === undefined) continue;
      if (element.name !== 'script') return 'strong';
      found = 'weak';
    }
    return found;
  }

  /** Whether the address or the code of a script belongs to the wall. */
  scripted(page: PageEvidence): boolean {
    const { scripts = [] } = this.wall;
    if (scripts.length === 0) return false;
    if (page.scripts.some(({ url }) => this.isOwnAddress(url)) || page.assets.some((url) => this.isOwnAddress(url)))
      return true;
    const code = codeOf(page, maxCodeChars);
    return scripts.some((part) => code.includes(part));
  }

  isOwnAddress(url: string): boolean {
    return this.wall.scripts?.some((part) => url.includes(part)) ?? false;
  }

  isOwnScript(element: Element): boolean {
    return this.isOwnAddress(element.attribs.src ?? '') || this.selectors().some(({ matches }) => matches(element));
  }

  private pattern(key: string, sources: readonly string[]): RegExp {
    const known = this.patterns.get(key);
    if (known) return known;
    const pattern = new RegExp(sources.join('|'), 'iu');
    this.patterns.set(key, pattern);
    return pattern;
  }

  private readonly selectors = once(() =>
    (this.wall.elements ?? []).flatMap(planSelector).map(({ selector, subject }) => ({
      subject,
      matches: matcherOf(selector),
    })),
  );
}

export const wallMarks: readonly WallMarks[] = walls.map((wall) => new WallMarks(wall));
