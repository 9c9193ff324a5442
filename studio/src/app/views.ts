// The views, in the order of the navigation. Each loads when it is first opened.
import type { ComponentType } from 'preact';

export interface View {
  name: string; // The first part of the address.
  title: string;
  hint: string;
  load: () => Promise<{ default: ComponentType }>;
}

export const views: View[] = [
  {
    name: 'learn',
    title: 'Learn',
    hint: 'Short lessons with live tables',
    load: () => import('../views/learn/learn_view.tsx'),
  },
  {
    name: 'model',
    title: 'Model',
    hint: 'The design: entities, keys and access patterns',
    load: () => import('../views/model/model_view.tsx'),
  },
  {
    name: 'items',
    title: 'Items',
    hint: 'What is stored, as item collections; patterns that light up',
    load: () => import('../views/items/items_view.tsx'),
  },
  {
    name: 'build',
    title: 'Build',
    hint: 'Put a request together and take its code',
    load: () => import('../views/build/build_view.tsx'),
  },
  {
    name: 'explore',
    title: 'Explore',
    hint: 'All tables: read, edit, import and export items',
    load: () => import('../views/explore/explore_view.tsx'),
  },
];
