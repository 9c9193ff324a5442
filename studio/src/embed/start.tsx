import { render } from 'preact';
import { parseRoute } from '../app/route.ts';
import { Card } from './card.tsx';

const { path, query } = parseRoute(location.pathname, location.search);
const theme = query['theme'];
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
render(<Card design={path[0] ?? ''} query={query} />, document.getElementById('app')!);
