// One stream of news for the whole page, and hooks to hear from it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Indexing } from "./api";

export interface News {
  indexing: Indexing;
  clusters: { version: number; total: number; moved: number; joined: number };
  question: { finished: boolean };
  problem: { text: string };
  online: boolean;
  changed: { seq: number };
}

type Heard = (data: never) => void;
const hearers = new Map<keyof News, Set<Heard>>();

/** Tell every part of the page. */
export function publish<K extends keyof News>(name: K, data: News[K]): void {
  for (const heard of hearers.get(name) ?? []) (heard as (data: News[K]) => void)(data);
}

/** Hear one kind of news while the component is there. */
export function useNews<K extends keyof News>(name: K, heard: (data: News[K]) => void): void {
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(() => {
    const call = ((data: News[K]) => latest.current(data)) as Heard;
    const all = hearers.get(name) ?? new Set();
    hearers.set(name, all.add(call));
    return () => void all.delete(call);
  }, [name]);
}

/** Start listening to the server; it is listened to again when the connection was lost. */
export function listen(): () => void {
  const stream = new EventSource("/api/stream");
  for (const name of ["indexing", "clusters", "question", "problem"] as const) {
    stream.addEventListener(name, (event) => {
      const data = JSON.parse((event as MessageEvent<string>).data);
      if (name === "clusters") heardVersion = data.version;
      publish(name, data);
    });
  }
  stream.onopen = () => publish("online", true);
  stream.onerror = () => publish("online", false);
  return () => stream.close();
}

export interface Still {
  moved: number;
  joined: number;
  waiting: boolean;
  reload: () => void;
}

const NONE = { moved: 0, joined: 0 };
let heardVersion = 0; // of the clusters that the server has now

/**
 * Keeps a view still while others, or the engine, change the clusters: counts what moved, and says when to load again.
 * Changes of one's own are loaded as soon as the clusters take them into account.
 */
export function useStill(load: () => void): Still {
  const [{ moved, joined }, setSince] = useState(NONE);
  const [waiting, setWaiting] = useState(false);
  const awaited = useRef(0);
  const reload = () => {
    setSince(NONE);
    load();
  };
  const arrive = () => {
    awaited.current = 0;
    setWaiting(false);
    reload();
  };
  useNews("changed", ({ seq }) => {
    if (seq <= heardVersion) return arrive();
    awaited.current = Math.max(awaited.current, seq);
    setWaiting(true);
  });
  useNews("clusters", (news) => {
    if (awaited.current && news.version >= awaited.current) arrive();
    else if (!awaited.current) setSince((now) => ({ moved: now.moved + news.moved, joined: now.joined + news.joined }));
  });
  useNews("online", (online) => online && awaited.current && arrive()); // what came meanwhile was not heard
  return { moved, joined, waiting, reload };
}
