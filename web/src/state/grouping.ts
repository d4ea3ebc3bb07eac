// The pictures of a page, sorted into numbered groups.

/** The group of each picture that is in one. */
export type Groups = Record<string, number>;

export const NO_GROUP = 0;

export interface GroupingState {
  groups: Groups;
  selected: ReadonlySet<number>;
  /** The last thing that was done, for screen readers. */
  moved: { n: number; group: number } | null;
}

export type GroupingAction =
  | { type: "toggled"; id: number }
  | { type: "deselected" }
  | { type: "put"; ids: number[]; group: number };

export const numbersOf = (groups: Groups): number[] => [...new Set(Object.values(groups))].sort((a, b) => a - b);

/** Those that are in no group have the group `NO_GROUP`. */
export const membersOf = (items: number[], groups: Groups, group: number): number[] =>
  items.filter((id) => (groups[id] ?? NO_GROUP) === group);

/** The reducer of a page with these pictures. */
export const groupingOf =
  (items: number[]) =>
  (state: GroupingState, action: GroupingAction): GroupingState => {
    switch (action.type) {
      case "toggled": {
        const selected = new Set(state.selected);
        if (!selected.delete(action.id)) selected.add(action.id);
        return { ...state, selected };
      }
      case "deselected":
        return { ...state, selected: new Set() };
      case "put": {
        const { ids, group } = action;
        if (!ids.length) return state;
        const groups = { ...state.groups };
        for (const id of ids) {
          if (group === NO_GROUP) delete groups[id];
          else groups[id] = group;
        }
        return { groups: renumbered(groups, items), selected: new Set(), moved: { n: ids.length, group } };
      }
    }
  };

/** Numbers without gaps, in the order of the groups on the page. */
function renumbered(groups: Groups, items: number[]): Groups {
  const left = numbersOf(groups);
  return Object.fromEntries(items.flatMap((id) => (groups[id] ? [[id, left.indexOf(groups[id]) + 1]] : [])));
}

/** Groups from the marks of a page that was sent. */
export const fromMarks = (before: Record<string, string[]>): Groups =>
  Object.fromEntries(
    Object.entries(before).flatMap(([id, [mark]]) => (mark === undefined ? [] : [[id, Number(mark)]])),
  );
