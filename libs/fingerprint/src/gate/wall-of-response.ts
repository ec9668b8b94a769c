import type { PageEvidence } from '../page/evidence.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/** The wall that the headers or the address of a response state. Few responses have such a header, host or path. */
const stating = wallMarks.filter(({ wall }) => wall.headers || wall.hosts || wall.paths);
const headerNames = new Set(stating.flatMap(({ wall }) => Object.keys(wall.headers ?? {})));
const hosts = new Set(stating.flatMap(({ wall }) => wall.hosts ?? []));
const paths = new RegExp(stating.flatMap(({ wall }) => wall.paths ?? []).join('|'), 'iu');

function isHostOfWall(host: string): boolean {
  for (let at = 0; at !== -1; at = host.indexOf('.', at + 1))
    if (hosts.has(at === 0 ? host : host.slice(at + 1))) return true;
  return false;
}

const mayState = ({ headers, url }: PageEvidence): boolean =>
  [...headerNames].some((name) => headers.has(name)) ||
  (url !== undefined && (isHostOfWall(url.hostname) || paths.test(`${url.pathname}${url.search}`)));

export const wallOfResponse = (page: PageEvidence): WallMarks | undefined =>
  mayState(page) ? stating.find((marks) => marks.decides(page)) : undefined;
