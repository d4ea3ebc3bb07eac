// What is new, for every part of the page: the server's events, and what this page did itself.
import { computed, type Signal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { connection } from "../api/connection";
import { openEvents, type ServerEvents } from "../api/events";
import type { Next } from "../api/types";

export interface News extends ServerEvents {
  /** Something of one's own was stored. */
  changed: { seq: number };
  /** What comes after an undo or a redo, for the question screen. */
  next: Next;
}

const latest: { readonly [K in keyof News]: Signal<News[K] | null> } = {
  indexing: signal(null),
  clusters: signal(null),
  question: signal(null),
  problem: signal(null),
  changed: signal(null),
  next: signal(null),
};

/** Version of the clusters that the server has, as far as this page knows. */
export const clustersVersion = computed(() => latest.clusters.value?.version ?? 0);

export function publish<K extends keyof News>(name: K, data: News[K]): void {
  latest[name].value = data;
}

/** Publish the server's events while the page is open. */
export const listen = (): (() => void) => openEvents(publish as Parameters<typeof openEvents>[0]);

/** Call `handle` with each value that comes while the component is there, not with the one that was there before. */
function useEach<T>(source: { subscribe: (call: (value: T) => void) => () => void }, handle: (value: T) => void): void {
  const current = useRef(handle);
  current.current = handle;
  useEffect(() => {
    let isFirst = true;
    return source.subscribe((value) => {
      if (!isFirst) current.current(value);
      isFirst = false;
    });
  }, [source]);
}

export function useNews<K extends keyof News>(name: K, handle: (data: News[K]) => void): void {
  useEach<News[K] | null>(latest[name], (data) => data && handle(data));
}

/** Call `back` whenever the server is found to answer. */
export function useBackOnline(back: () => void): void {
  useEach(connection, ({ online }) => {
    if (online) back();
  });
}
