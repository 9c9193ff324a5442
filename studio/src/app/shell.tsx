// The frame around every view: navigation, the design that is open, theme.
import { signal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { lostSince } from '../api/reach.ts';
import { file, missing, model, openName, sharedPrefix, trouble } from '../design/design.ts';
import { ownDesigns, ownPrefix } from '../design/own_designs.ts';
import { exampleOptions } from '../parts/options.tsx';
import { formatRoute, go, linkTo, route } from './route.ts';
import { Palette, PaletteButton } from './palette.tsx';
import { RemoteBar } from './remote_bar.tsx';
import { SignIn } from '../signing/sign_in.tsx';
import { ScaleChoice } from './scale.tsx';
import { theme, type Theme } from './theme.ts';
import { views } from './views.ts';

const shown = signal<{ name: string; component: ComponentType } | null>(null);
const failed = signal<string | null>(null);

function Navigation() {
  return (
    <nav aria-label="Views">
      {views.filter(({ aside }) => !aside).map((view) => (
        <a
          key={view.name}
          href={linkTo(view.name)}
          title={view.hint}
          aria-current={route.value.view === view.name || (view.name === 'learn' && route.value.view === 'reference') ? 'page' : undefined}
        >
          {view.title}
        </a>
      ))}
    </nav>
  );
}

function DesignChoice() {
  return (
    <label class="design-choice">
      <span>Design</span>
      <select
        value={openName.value}
        onChange={(event) => {
          const { view } = route.peek();
          go(formatRoute({ view, query: { model: event.currentTarget.value } }));
        }}
      >
        {openName.value.startsWith(sharedPrefix) && <option value={openName.value}>from a link</option>}
        {file.value && <option value="file">{openName.value === 'file' && model.value?.title ? `${model.value.title} (${file.value.name})` : file.value.name}</option>}
        {ownDesigns.value.map((own) => (
          <option key={own} value={own}>
            {own.slice(ownPrefix.length)} (yours)
          </option>
        ))}
        {exampleOptions()}
      </select>
    </label>
  );
}

function ThemeChoice() {
  return (
    <label class="theme-choice" title="Theme">
      <span class="unseen">Theme</span>
      <select
        value={theme.value}
        onChange={(event) => (theme.value = event.currentTarget.value as Theme)}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

// A lesson has a design of its own, and the live view has none.
const actsOnDesign = () => !(route.value.view === 'live' || (route.value.view === 'learn' && route.value.path.length > 0));

// Goes away by itself when the server is back.
function Lost() {
  const since = lostSince.value;
  if (since === null) return null;
  return (
    <p class="trouble lost" role="alert">
      The server has not answered since {new Date(since).toLocaleTimeString('en-GB')}. This page shows only what it loaded before, and continues when the server is back.
    </p>
  );
}

export function Shell() {
  useSignalEffect(() => {
    const wanted = views.find((view) => view.name === route.value.view);
    if (!wanted) {
      go(linkTo(views[0]!.name), { replace: true });
      return;
    }
    document.title = `${wanted.title} · Prejoin Studio`;
    wanted.load().then(
      (module) => {
        failed.value = null;
        if (route.peek().view === wanted.name) {
          shown.value = { name: wanted.name, component: module.default };
        }
      },
      (error: Error) => (failed.value = error.message),
    );
  });
  const View = shown.value?.component;
  return (
    <>
      <a class="skip" href="#main" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </a>
      <header class="top">
        <strong class="brand">
          <img src="/studio/icon.svg" alt="" width="20" height="20" />
          Prejoin
        </strong>
        <Navigation />
        <ScaleChoice />
        <PaletteButton />
        {actsOnDesign() && <DesignChoice />}
        <ThemeChoice />
      </header>
      <Palette />
      <SignIn />
      <RemoteBar />
      <Lost />
      {(trouble.value ?? missing.value ?? failed.value) && (
        <p class="trouble" role="alert">
          {trouble.value ?? missing.value ?? failed.value}{' '}
          {missing.value && <a href={formatRoute({ view: route.value.view })}>Open the first example</a>}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {View && <View />}
      </main>
    </>
  );
}
