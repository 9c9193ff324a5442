import { render } from 'preact';
import { startDesign } from '../design/design.ts';
import { followLinks } from './route.ts';
import { Shell } from './shell.tsx';
import { startTheme } from './theme.ts';

startTheme();
followLinks();
startDesign();
render(<Shell />, document.getElementById('app')!);
