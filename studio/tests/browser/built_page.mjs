// STUDIO_PAGE names a folder that `npx vite build --outDir FOLDER` wrote: the browser takes the page from there, and everything else from
// the server. So a change of the page is tried in seconds, without building the program.
import { readFileSync } from 'node:fs';

const folder = process.env.STUDIO_PAGE;
const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', woff2: 'font/woff2' };

export async function useBuiltPage(context) {
  if (!folder) return;
  await context.route(/\/studio(\/|\?|$)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const found = pathname.replace(/^\/studio\/?/, '');
    const path = /\.\w+$/.test(found) ? found : 'index.html';
    if (found.startsWith('embed') && path === 'index.html') return route.continue();
    const body = readFileSync(`${folder}/${path}`);
    return route.fulfill({ body, contentType: types[path.split('.').at(-1)] });
  });
}
