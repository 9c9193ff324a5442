// Light, dark, or what the system says.
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const key = 'prejoin-theme';

function stored(): Theme {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const theme = signal<Theme>('system');

export function startTheme(): void {
  theme.value = stored();
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    localStorage.setItem(key, theme.value);
  });
}
