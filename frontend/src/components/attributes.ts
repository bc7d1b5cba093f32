// Attributes and handlers that a component passes on to its element: `use:attributes={rest}`.
// A spread would bring in what Svelte knows of every element: 2 kB of the widget, for a few attributes.

export function attributes(node: HTMLElement, given: Record<string, unknown>) {
  let names: string[] = [];

  function write(name: string, value: unknown): void {
    const aria = name.startsWith("aria-");
    if (name.startsWith("on")) Object.assign(node, { [name]: value ?? null });
    else if (value === undefined || value === null || (value === false && !aria)) node.removeAttribute(name);
    else node.setAttribute(name, value === true && !aria ? "" : String(value));
  }

  function update(values: Record<string, unknown>): void {
    for (const name of names) if (!(name in values)) write(name, undefined);
    names = Object.keys(values);
    for (const name of names) write(name, values[name]);
  }

  update(given);
  return { update };
}
