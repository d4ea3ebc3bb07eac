"""A process that several people write through: `writer.py WHERE PEOPLE COUNT [FIRST …]`.

Person p sends the keys `p-FIRST`, `p-FIRST+1`, … up to `p-COUNT` and prints `key seq` for each that the store has
acknowledged, so that whoever kills this process knows what must be there.
"""

import os
import sys
import threading

from likewise.store import NothingToUndoError, Store


def write(project, person, first, count):
    for number in range(first, count):
        key = f"{person}-{number}"
        items = [number % 10, (number + 1) % 10]
        try:
            if number % 5 == 4:
                event = project.undo(person, key=key)
            else:
                said = {"kind": "pair", "items": items, "value": "same"}
                event = project.append("answer", said, annotator=person, key=key, seconds=0.5)
        except NothingToUndoError:
            event = project.append("bad", {"items": items}, annotator=person, key=key)
        os.write(1, f"{key} {event.seq}\n".encode())


def main():
    where, people, count = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
    first = [int(each) for each in sys.argv[4:]] or [0] * len(people)
    with Store.open(where) as store:
        project = store.project("leaves")
        threads = [
            threading.Thread(target=write, args=(project, person, start, count))
            for person, start in zip(people, first, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    os.write(1, b"done\n")


if __name__ == "__main__":
    main()
