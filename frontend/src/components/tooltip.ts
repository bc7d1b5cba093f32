// A tooltip on hover and focus, shown above the element in the top layer. `use:tooltip={text}`.

const DELAY_MS = 400;

export function tooltip(node: HTMLElement, text: string | undefined) {
  let shown: HTMLElement | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    if (!text || shown || !node.isConnected) return;
    shown = document.createElement("div");
    shown.className = "saegim-tooltip";
    // The name of the element says the same to screen readers.
    shown.setAttribute("aria-hidden", "true");
    shown.textContent = text;
    if ("popover" in shown) shown.popover = "manual";
    const root = node.getRootNode();
    (root instanceof ShadowRoot ? root : (node.closest("dialog") ?? document.body)).append(shown);
    shown.showPopover?.();
    const box = node.getBoundingClientRect();
    const own = shown.getBoundingClientRect();
    const above = box.top - own.height - 6;
    const left = Math.min(Math.max(4, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 4);
    shown.style.left = `${left}px`;
    shown.style.top = `${above > 4 ? above : box.bottom + 6}px`;
  }
  function later(): void {
    clearTimeout(waiting);
    waiting = setTimeout(show, DELAY_MS);
  }
  function hide(): void {
    clearTimeout(waiting);
    shown?.remove();
    shown = undefined;
  }
  function focused(): void {
    if (node.matches(":focus-visible")) show();
  }
  function entered(event: PointerEvent): void {
    if (event.pointerType === "mouse") later();
  }
  node.addEventListener("pointerenter", entered);
  node.addEventListener("pointerleave", hide);
  node.addEventListener("focus", focused);
  node.addEventListener("blur", hide);
  node.addEventListener("click", hide);
  return {
    update(next: string | undefined) {
      text = next;
      if (shown) shown.textContent = next ?? "";
    },
    destroy() {
      hide();
      node.removeEventListener("pointerenter", entered);
      node.removeEventListener("pointerleave", hide);
      node.removeEventListener("focus", focused);
      node.removeEventListener("blur", hide);
      node.removeEventListener("click", hide);
    },
  };
}
