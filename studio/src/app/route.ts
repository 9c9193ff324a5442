// The address bar is the state that can be shared: /studio/<view>/<rest>?model=…&…
import { computed, signal } from '@preact/signals';

export interface Route {
  view: string;
  path: string[]; // What follows the view, decoded.
  query: Readonly<Record<string, string>>;
}

const base = '/studio/';

export function parseRoute(pathname: string, search: string): Route {
  const parts = pathname.startsWith(base) ? pathname.slice(base.length).split('/') : [];
  const [view = '', ...path] = parts.filter((part) => part !== '').map(decode);
  return { view, path, query: Object.fromEntries(new URLSearchParams(search)) };
}

export function formatRoute(route: { view: string; path?: string[]; query?: Record<string, string | undefined> }): string {
  const path = [route.view, ...(route.path ?? [])].map(encodeURIComponent).join('/');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(route.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  const search = query.toString();
  return base + path + (search ? `?${search}` : '');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A lone percent sign: somebody typed it.
  }
}

const address = signal(typeof location === 'undefined' ? base : location.pathname + location.search);

export const route = computed(() => {
  const [pathname = base, search = ''] = address.value.split(/(?=\?)/);
  return parseRoute(pathname, search);
});

export function go(href: string, options: { replace?: boolean } = {}): void {
  if (href === address.peek()) return;
  history[options.replace ? 'replaceState' : 'pushState'](null, '', href);
  address.value = href;
}

// Changes parts of the query and keeps the rest; `replace` is for what should not be a step back.
export function setQuery(changes: Record<string, string | undefined>, options: { replace?: boolean } = {}): void {
  const { view, path, query } = route.peek();
  go(formatRoute({ view, path, query: { ...query, ...changes } }), options);
}

// A link to another view that keeps the design which is open, and the scale.
export function linkTo(view: string, path: string[] = [], query: Record<string, string | undefined> = {}): string {
  return formatRoute({ view, path, query: { model: route.value.query['model'], scale: route.value.query['scale'], ...query } });
}

export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = location.pathname + location.search;
  });
  document.addEventListener('click', (event) => {
    const anchor = (event.target as Element).closest?.('a');
    if (!anchor || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (anchor.target || anchor.hasAttribute('download') || anchor.origin !== location.origin) return;
    if (!anchor.pathname.startsWith(base)) return;
    if (anchor.hash !== '' && anchor.pathname === location.pathname) return; // A place on this page.
    event.preventDefault();
    go(anchor.pathname + anchor.search);
  });
}
