// The views, in the order of the navigation. Each loads when it is first opened.
import type { ComponentType } from 'preact';

export interface View {
  name: string; // The first part of the address.
  title: string;
  hint: string;
  aside?: true; // Reached from Learn and by its name, not from the navigation.
  load: () => Promise<{ default: ComponentType }>;
}

const view = (name: string, title: string, hint: string, load: View['load']): View => ({ name, title, hint, load });

export const views: View[] = [
  view('learn', 'Learn', 'Short lessons with live tables', () => import('../views/learn/learn_view.tsx')),
  view('model', 'Model', 'The design: entities, keys and access patterns', () => import('../views/model/model_view.tsx')),
  view('items', 'Items', 'Stored items, as item collections; patterns light up', () => import('../views/items/items_view.tsx')),
  view('build', 'Build', 'Put a request together and take its code', () => import('../views/build/build_view.tsx')),
  view('explore', 'Explore', 'All tables: read, edit, import and export items', () => import('../views/explore/explore_view.tsx')),
  view('live', 'Live', 'Partitions, throttling and metrics while requests run', () => import('../views/live/live_view.tsx')),
  { ...view('reference', 'Quick reference', 'Strategies, decision trees and rules on one page', () => import('../views/reference/reference_view.tsx')), aside: true },
];
