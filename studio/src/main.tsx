import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import { followLinks } from './app/route.ts';
import { Shell } from './app/shell.tsx';
import { startTheme } from './app/theme.ts';
import { startDesign } from './design/design.ts';

startTheme();
followLinks();
startDesign();
render(<Shell />, document.getElementById('app')!);
