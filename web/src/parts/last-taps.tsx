// The odd ones of the last grids, each with a way back that leaves the rest of its grid as it is.
import { leaveOpen } from "../state/cluster-changes";
import { forgetTap, lastTaps, type Tap } from "../state/taps";
import { worded } from "../state/words";
import { keepFocus } from "./focus";
import { GroupMark } from "./group-mark";
import { Icon } from "./icons";
import { Picture } from "./picture";

const SHOWN = 8;

async function takeBackTap(tap: Tap): Promise<void> {
  if (!(await leaveOpen(tap.cluster, [tap.item]))) return;
  forgetTap(tap);
  keepFocus(".last-taps button");
}

export function LastTaps() {
  const taps = lastTaps.value.slice(0, SHOWN);
  if (!taps.length) return null;
  return (
    <section class="last-taps" aria-label="Taken out last">
      <h2>Taken out last</h2>
      <ul>
        {taps.map((tap) => (
          <li key={`${tap.seq} ${tap.item}`} data-item={tap.item}>
            <Picture id={tap.item} alt={worded`Picture ${tap.item}`} />
            <GroupMark id={tap.cluster} />
            <button
              type="button"
              class="icon small"
              aria-label={worded`Take back that picture ${tap.item} is odd in group ${tap.cluster}`}
              title="Take this one back"
              onClick={() => void takeBackTap(tap)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
