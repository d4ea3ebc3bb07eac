// The time from the moment all pictures are there to the answer.
import { useEffect, useRef } from "preact/hooks";

const DAY = 86_400;

export interface AnswerTimer {
  /** To be called for each picture that is there. */
  loaded: () => void;
  /** When all pictures were there, in milliseconds; infinity before. */
  since: () => number;
  /** Seconds so far; time in which the page was out of sight is given beside it. */
  read: () => { seconds: number; shown: { away: number } };
}

export function useTimer(pictures: number): AnswerTimer {
  const state = useRef({ left: pictures, since: Number.POSITIVE_INFINITY, away: 0, hidden: 0 });
  useEffect(() => {
    const turned = () => {
      const { current } = state;
      if (document.hidden) current.hidden = performance.now();
      else if (current.hidden) current.away += performance.now() - current.hidden;
    };
    document.addEventListener("visibilitychange", turned);
    return () => document.removeEventListener("visibilitychange", turned);
  }, []);
  const seconds = (ms: number) => Math.min(DAY, Math.round(ms) / 1000);
  return {
    loaded: () => {
      state.current.left -= 1;
      if (state.current.left === 0) state.current.since = performance.now();
    },
    since: () => state.current.since,
    read: () => ({
      seconds: seconds(performance.now() - state.current.since),
      shown: { away: seconds(state.current.away) },
    }),
  };
}
