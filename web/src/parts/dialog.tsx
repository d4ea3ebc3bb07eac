import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close(); // gives the focus back
  }, []);
  return (
    <dialog
      class={wide ? "panel wide" : "panel"}
      ref={dialog}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && dialog.current?.close()}
    >
      <div class="inside">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
