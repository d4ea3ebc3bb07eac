// A store: a signal that changes only through a reducer.
import { type ReadonlySignal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

export interface Store<State, Action> {
  state: ReadonlySignal<State>;
  dispatch: (action: Action) => void;
}

export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  const state = signal(initial);
  const dispatch = (action: Action) => {
    state.value = reduce(state.peek(), action);
  };
  return { state, dispatch };
}

/** A store that lives as long as the component. */
export function useStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  return useMemo(() => createStore(reduce, initial), []);
}
