/** Provides the views of a list: those that every person has, and those that the browser keeps for this one. */
import { useState } from 'react';
import { useLocation } from 'react-router';
import { newKey } from '../api/key.ts';
import type { ColumnChoice } from '../design/table/shown-columns.tsx';
import { useMe } from '../session.tsx';
import {
  addressOfView,
  type BuiltInView,
  hasRoom,
  isSameQuery,
  readViews,
  type SavedView,
  viewQuery,
  withView,
} from './views.ts';

export type Views = {
  readonly builtIn: readonly BuiltInView[];
  readonly saved: readonly SavedView[];
  /** The saved view that the address names. */
  readonly chosen: SavedView | undefined;
  /** Whether the filters differ from those of the chosen view. */
  readonly isEdited: boolean;
  /** The filters of the address, as a view keeps them. */
  readonly query: string;
  readonly hasRoom: boolean;
  /** The columns of the chosen view, for `useShownColumns`; undefined if the list's own are shown. */
  readonly columns: ColumnChoice | undefined;
  /** Saves what is shown under a name, and returns the address of the new view. */
  readonly save: (name: string, hidden: readonly string[]) => string;
  readonly change: (view: SavedView) => void;
  readonly remove: (view: SavedView) => void;
};

const read = (key: string): readonly SavedView[] => {
  try {
    return readViews(localStorage.getItem(key));
  } catch {
    return [];
  }
};

const keep = (key: string, views: readonly SavedView[]): void => {
  try {
    localStorage.setItem(key, JSON.stringify(views));
  } catch {
    // A browser without storage forgets it with the page.
  }
};

export const useViews = (
  /** Names the list in the browser's storage. */
  list: string,
  builtIn: readonly BuiltInView[],
): Views => {
  const { account } = useMe();
  const key = `simgate.views.${list}.${account.id}`;
  const [saved, setSaved] = useState(() => read(key));
  const { search } = useLocation();
  const address = new URLSearchParams(search);
  const query = viewQuery(address);
  const chosen = saved.find(({ id }) => id === address.get('view'));
  // From the storage: another tab may have saved one since.
  const store = (next: (views: readonly SavedView[]) => readonly SavedView[]): void => {
    const views = next(read(key));
    keep(key, views);
    setSaved(views);
  };
  const change = (view: SavedView): void => store((views) => withView(views, view));
  return {
    builtIn,
    saved,
    chosen,
    isEdited: chosen !== undefined && !isSameQuery(chosen.query, query),
    query,
    hasRoom: hasRoom(saved),
    columns:
      chosen === undefined
        ? undefined
        : { hidden: chosen.hidden, onChange: (hidden) => change({ ...chosen, hidden }) },
    save: (name, hidden) => {
      const view = { id: newKey(), name, query, hidden };
      change(view);
      return addressOfView(view);
    },
    change,
    remove: ({ id }) => store((views) => views.filter((one) => one.id !== id)),
  };
};
