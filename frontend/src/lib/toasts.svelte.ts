// Short messages at the top right. An error stays until it is closed.
import { errorText } from "./api.ts";

export interface Toast {
  id: number;
  kind: "info" | "success" | "error";
  text: string;
  action?: { label: string; run: () => void | Promise<void> };
}

export const toasts = $state<Toast[]>([]);
let last = 0;

const SHOWN_MS = 6000;
const MOST = 4;

export function toast(text: string, options: Partial<Omit<Toast, "id" | "text">> = {}): void {
  // The same message twice says nothing new.
  const same = toasts.find((shown) => shown.text === text);
  if (same) dismiss(same.id);
  const id = ++last;
  toasts.push({ id, kind: "info", text, ...options });
  if (toasts.length > MOST) toasts.shift();
  if (options.kind !== "error") setTimeout(() => dismiss(id), options.action ? SHOWN_MS * 1.5 : SHOWN_MS);
}

export function toastError(error: unknown): void {
  toast(errorText(error), { kind: "error" });
}

export function dismiss(id: number): void {
  const at = toasts.findIndex((shown) => shown.id === id);
  if (at >= 0) toasts.splice(at, 1);
}
