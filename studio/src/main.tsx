// A card inside somebody else's page has no frame, keeps nothing in the browser and writes nothing: it shares only the styles.
import './style/tokens.css';
import './style/base.css';

if (location.pathname.startsWith('/studio/embed/')) void import('./embed/start.tsx');
else void import('./app/start.tsx');
