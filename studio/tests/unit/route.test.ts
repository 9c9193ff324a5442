import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../src/app/route.ts';

describe('routes', () => {
  it('come back as they went', () => {
    const route = { view: 'items', path: ['Education', 'GSI1'], query: { key: 'COURSE#C1 & more', model: 'd05' } };
    const [pathname, search] = formatRoute(route).split('?');
    expect(parseRoute(pathname!, `?${search}`)).toEqual(route);
  });

  it('leave out what is empty', () => {
    expect(formatRoute({ view: 'model', query: { model: undefined, find: '' } })).toBe('/studio/model');
  });

  it('bear a lone percent sign', () => {
    expect(parseRoute('/studio/items/100%', '').path).toEqual(['100%']);
  });
});
